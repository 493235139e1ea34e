// The fields that bodies of the management API may have, for what keeps of a body only the names that the contract knows.

/** Returns the fields of the body of each operation of a document, by operation id. */
export function bodyFieldsOf(document) {
  const bodies = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content?.['application/json']?.schema;
      return schema ? [[operationId, fieldsOf(document, schema)]] : [];
    }),
  );
  return Object.fromEntries(bodies);
}

/** Returns the fields that a body may have, with all branches of unions merged; true for a value or anything. */
function fieldsOf(document, node, above = []) {
  if (node.$ref)
    return above.includes(node.$ref)
      ? true
      : fieldsOf(document, document.components.schemas[node.$ref.split('/').pop()], [
          ...above,
          node.$ref,
        ]);
  const parts = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]
    .filter((part) => part.type !== 'null')
    .map((part) => fieldsOf(document, part, above));
  for (const [name, field] of Object.entries(node.properties ?? {}))
    parts.push({ [name]: fieldsOf(document, field, above) });
  if (node.items) parts.push({ '*': fieldsOf(document, node.items, above) });
  if (node.additionalProperties === true) parts.push({ '*': true });
  else if (node.additionalProperties)
    parts.push({ '*': fieldsOf(document, node.additionalProperties, above) });
  return parts.length === 0 ? true : parts.reduce(mergeFields);
}

function mergeFields(one, other) {
  if (one === true || other === true) return true;
  const merged = { ...one };
  for (const [name, field] of Object.entries(other))
    merged[name] = name in merged ? mergeFields(merged[name], field) : field;
  return merged;
}
