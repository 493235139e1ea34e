// Writes tables of Markdown without padding. Prettier pads each cell to the longest of its column, so that a page with one long cell has lines
// of 300 characters, and a change of that cell changes every line of its table. Generated pages are not formatted by it (.prettierignore).

/** Returns a page of Markdown with one space around each cell of its tables. */
export function compactTables(page) {
  let isCode = false;
  return page
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      if (isCode || !/^\|.*\|$/.test(line)) return line;
      return line
        .replaceAll(/ +\|/g, ' |')
        .replaceAll(/\| +/g, '| ')
        .replaceAll(/\| (:?)-+(:?) (?=\|)/g, '| $1---$2 ');
    })
    .join('\n');
}
