// The fields of the records that connector operations return, from their response schemas. build.mjs writes the table; src/record-fields.ts
// reads it.

/**
 * Returns the record type of each operation, and the fields of every type that they reach. A field is a scalar (`string`, `number`,
 * `boolean`, `datetime`), the values of an enum, another type (`#Name`), or `{}` for anything; `[]` before it means a list.
 */
export function recordFieldsOf(document) {
  const { schemas } = document.components;
  const types = {};
  const records = {};
  for (const item of Object.values(document.paths))
    for (const { operationId, responses } of Object.values(item)) {
      const success = Object.entries(responses).find(([code]) => code[0] === '2')?.[1];
      const schema = success?.content?.['application/json']?.schema;
      const result = schema && resolve(schema).properties?.result;
      if (result === undefined) continue;
      const { items } = resolve(result);
      records[operationId] = fieldOf(items ?? result, operationId);
    }
  return { records, types };

  function resolve(schema) {
    const rest = schema.anyOf?.filter((one) => one.type !== 'null') ?? [];
    if (rest.length === 1) return resolve(rest[0]);
    return schema.$ref ? resolve(schemas[nameOf(schema.$ref)]) : schema;
  }

  /** @param name of the type, if the schema is an object without a name of its own */
  function fieldOf(schema, name, field = '') {
    const named = schema.anyOf?.find((one) => one.$ref) ?? schema;
    const own = named.$ref === undefined ? name : nameOf(named.$ref);
    const found = resolve(schema);
    const kinds = [found.type].flat().filter((kind) => kind !== undefined && kind !== 'null');
    if (found.items) {
      const item = fieldOf(found.items, own, field);
      return `[]${typeof item === 'string' ? item : 'string'}`;
    }
    if (found.enum?.every((value) => value === null || typeof value === 'string'))
      return { values: found.enum.filter((value) => value !== null) };
    if (found.properties || found.oneOf || found.allOf) return addType(own, found);
    if (kinds.length !== 1 || kinds[0] === 'object') return '{}';
    if (kinds[0] === 'boolean') return 'boolean';
    if (kinds[0] === 'string') return found.format === 'date-time' ? 'datetime' : 'string';
    // OCSF writes times as epoch milliseconds.
    return found.format === 'int64' && /(^|_)time$/.test(field) ? 'datetime' : 'number';
  }

  function addType(name, schema) {
    if (types[name] !== undefined) return `#${name}`;
    const fields = (types[name] = {});
    const add = (part) => {
      const { properties = {}, oneOf = [], allOf = [] } = resolve(part);
      for (const [key, value] of Object.entries(properties))
        fields[key] ??= fieldOf(value, `${name}.${key}`, key);
      for (const one of [...oneOf, ...allOf]) add(one);
    };
    add(schema);
    return `#${name}`;
  }
}

function nameOf(reference) {
  return reference.split('/').pop();
}
