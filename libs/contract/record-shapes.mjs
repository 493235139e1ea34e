// The shapes of the records that connector operations return, from their response schemas. build.mjs writes the table;
// src/record-fields.ts reads what lists can be filtered by from it, src/validate-record.ts holds records against it.

const constraints = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'minItems',
  'maxItems',
];

/**
 * @param operations of the document, as the table of operations has them
 * Returns the shape of each operation's records, and the types that they reach. A shape is a scalar (`string`, `integer`, `number`,
 * `boolean`, `datetime` as text, `time` in epoch milliseconds), `object`, `any`, a type (`#Name`), or `{values}`; `?` before it allows null,
 * `[]` means a list of it. A type has `fields` and those that are `required`, or is one `of` several types, told apart `by` a field.
 */
export function recordShapesOf(document, operations) {
  const { schemas } = document.components;
  const types = {};
  const records = {};
  for (const { id, path, method, response } of operations) {
    const { responses } = document.paths[path]?.[method.toLowerCase()] ?? {};
    const schema = responses?.[response.status].content?.['application/json']?.schema;
    if (schema === undefined) continue;
    const result =
      response.record === null ? schema : resolve(schema).properties?.[response.record];
    if (result === undefined) continue;
    const { items } = resolve(result);
    records[id] = shapeOf(items ?? result, id);
  }
  return { records, types };

  function resolve(schema) {
    return schema.$ref ? resolve(schemas[nameOf(schema.$ref)]) : schema;
  }

  /** @param name of the type, if the schema is an object without a name of its own */
  function shapeOf(schema, name, field = '') {
    const rest = schema.anyOf?.filter((one) => one.type !== 'null') ?? [];
    if (schema.anyOf) {
      if (rest.length !== 1) throw new Error(`${name}: a record cannot have this anyOf`);
      return nullable(shapeOf(rest[0], name, field));
    }
    if (schema.$ref) {
      const found = resolve(schema);
      return shapeOf(found, nameOf(schema.$ref), field);
    }
    const unknown = constraints.filter((key) => key in schema);
    if (unknown.length > 0) throw new Error(`${name}: records are not held against ${unknown}`);
    const kinds = [schema.type].flat().filter((kind) => kind !== undefined && kind !== 'null');
    const own = ownShape(schema, kinds, name, field);
    return [schema.type].flat().includes('null') ? nullable(own) : own;
  }

  function ownShape(schema, [kind, ...others], name, field) {
    if (schema.enum) return { values: schema.enum.filter((value) => value !== null) };
    if ('const' in schema) return { values: [schema.const] };
    if (schema.properties || schema.oneOf) return addType(name, schema);
    if (others.length > 0) throw new Error(`${name}: a record cannot have several types`);
    if (kind === 'array') return `[]${itemShape(schema.items ?? {}, name, field)}`;
    if (kind === 'string') return schema.format === 'date-time' ? 'datetime' : 'string';
    // OCSF writes times as epoch milliseconds.
    if (kind === 'integer')
      return schema.format === 'int64' && /(^|_)time$/.test(field) ? 'time' : 'integer';
    return kind ?? 'any';
  }

  function itemShape(items, name, field) {
    const shape = shapeOf(items, name, field);
    return typeof shape === 'string' ? shape : addValues(name, shape);
  }

  /** Lists of enumerated values name them as a type. */
  function addValues(name, shape) {
    types[`${name} values`] = shape;
    return `#${name} values`;
  }

  function addType(name, schema) {
    if (types[name] !== undefined) return `#${name}`;
    const type = (types[name] = {});
    if (schema.oneOf) {
      const { propertyName, mapping } = schema.discriminator;
      type.by = propertyName;
      type.of = Object.fromEntries(
        Object.entries(mapping).map(([value, $ref]) => [value, shapeOf({ $ref }, name).slice(1)]),
      );
      return `#${name}`;
    }
    type.required = schema.required ?? [];
    type.fields = {};
    for (const [key, value] of Object.entries(schema.properties))
      type.fields[key] = shapeOf(value, `${name}.${key}`, key);
    return `#${name}`;
  }
}

function nullable(shape) {
  if (typeof shape !== 'string') return { ...shape, null: true };
  return shape.startsWith('?') ? shape : `?${shape}`;
}

function nameOf(reference) {
  return reference.split('/').pop();
}
