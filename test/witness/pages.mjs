/** Reads an iterator of a client to its end. */
export async function all(pages, itemsOf = (page) => [page]) {
  const items = [];
  for await (const page of pages) items.push(...itemsOf(page));
  return items;
}

/** Reads pages to the end. @param read returns the items after a token, and the token of the next page */
export async function follow(read) {
  const items = [];
  let token;
  do {
    const page = await read(token);
    items.push(...page.items);
    token = page.next;
  } while (token);
  return items;
}
