import { type Operation, servedDocument } from '#contract';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  default?: unknown;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, { schema: Schema }> };
        responses?: Record<string, { content?: Record<string, { schema: Schema }> }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

const documents = new Map<string, Document>();

function documentOf(side: Operation['side']): Document {
  const known = documents.get(side) ?? (JSON.parse(servedDocument(side, '/')) as Document);
  documents.set(side, known);
  return known;
}

/** The schema of an operation's JSON body. */
export function bodySchema({ side, path, method }: Operation): Schema | undefined {
  const body = documentOf(side).paths[path]?.[method.toLowerCase()]?.requestBody;
  return body?.content['application/json']?.schema;
}

/** The fields of the records that a list answers with, where they hold texts. */
export function listedTexts({ side, path, method }: Operation): string[] {
  const { responses } = documentOf(side).paths[path]?.[method.toLowerCase()] ?? {};
  const schema = responses?.['200']?.content?.['application/json']?.schema;
  if (schema === undefined) return [];
  const items = open(side, open(side, schema).properties?.['result'] ?? {}).items;
  const fields = items ? (open(side, items).properties ?? {}) : {};
  return Object.entries(fields)
    .filter(([, field]) => [open(side, field).type ?? ''].flat().includes('string'))
    .map(([name]) => name);
}

/** Texts that mean something to the service, where any text would be refused for what it is. */
const texts: Readonly<Record<string, string>> = {
  content: 'c2FtcGxl', // of attachments, in base64
  url: 'https://hooks.example.com/',
  webhook_url: 'https://hooks.example.com/',
  issuer_url: 'https://id.example.com/',
  secret: 'a secret that is long enough',
  old_secret: 'a secret that is long enough',
  new_secret: 'another secret that is long enough',
  data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n',
  connector: 'ticketing',
  token_ttl: '1h',
  permission_set: 'viewer',
};

/** The least that a schema takes. */
export function sample(side: Operation['side'], schema: Schema, name = ''): unknown {
  const node = open(side, schema);
  if (node.const !== undefined) return node.const;
  if (node.enum) return name in texts ? texts[name] : node.enum[0];
  if (node.oneOf ?? node.anyOf) return sample(side, variant(side, node), name);
  const type = [node.type ?? (node.properties ? 'object' : 'string')].flat()[0];
  switch (type) {
    case 'object': {
      const required = node.required ?? [];
      return Object.fromEntries(
        required.map((key) => [key, sample(side, node.properties?.[key] ?? {}, key)]),
      );
    }
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    default:
      if (node.format === 'date-time') return '2090-01-01T00:00:00Z';
      return texts[name] ?? 'sample';
  }
}

/** Where a body of this schema may hold a text that the contract says nothing about: JSON Pointers as lists of keys. */
export function textPlaces(
  side: Operation['side'],
  schema: Schema,
  at: readonly (string | number)[] = [],
  above: readonly string[] = [],
): (readonly (string | number)[])[] {
  if (schema.$ref && above.includes(schema.$ref)) return [];
  const seen = schema.$ref ? [...above, schema.$ref] : above;
  const node = open(side, schema);
  if (node.const !== undefined || node.enum || node.format === 'date-time') return [];
  const variants = node.oneOf ?? node.anyOf;
  // Of the many providers' configurations one has every place for a credential that the others have.
  if (variants) {
    const some = variants.length > 8 ? [variant(side, node, /jira$/)] : variants;
    return some.flatMap((one) => textPlaces(side, one, at, seen));
  }
  const types = [node.type ?? (node.properties ? 'object' : 'string')].flat();
  if (types.includes('object'))
    return Object.entries(node.properties ?? {}).flatMap(([key, value]) =>
      textPlaces(side, value, [...at, key], seen),
    );
  if (types.includes('array') && node.items) return textPlaces(side, node.items, [...at, 0], seen);
  return types.includes('string') ? [at] : [];
}

/** A copy of a body with a text at a place; what lies on the way there is the least its schema takes. */
export function withText(
  side: Operation['side'],
  schema: Schema,
  body: unknown,
  [key, ...rest]: readonly (string | number)[],
  text: string,
): unknown {
  if (key === undefined) return text;
  const node = holding(side, schema, [key, ...rest]);
  if (typeof key === 'number') {
    const below = node.items ?? {};
    const first: unknown = Array.isArray(body) ? body[0] : undefined;
    const base = first ?? sample(side, holding(side, below, rest));
    return [withText(side, below, base, rest, text)];
  }
  const fields = {
    ...(sample(side, node) as object),
    ...(isFitting(side, node, body) ? body : {}),
  } as Record<string, unknown>;
  const below = node.properties?.[key] ?? {};
  const inside = fields[key] ?? (rest.length > 0 ? sample(side, holding(side, below, rest)) : '');
  return { ...fields, [key]: withText(side, below, inside, rest, text) };
}

/** The variant of a union that has the place; the schema itself where it is none. */
function holding(
  side: Operation['side'],
  schema: Schema,
  place: readonly (string | number)[],
): Schema {
  const node = open(side, schema);
  const variants = node.oneOf ?? node.anyOf;
  if (!variants) return node;
  const some = variants.length > 8 ? [variant(side, node, /jira$/)] : variants;
  const wanted = place.join('/');
  const found = some.find((one) => textPlaces(side, one).some((path) => path.join('/') === wanted));
  return holding(side, found ?? some[0] ?? {}, place);
}

/** True when a value is of this variant: what belongs to another one would not fit in. */
function isFitting(side: Operation['side'], node: Schema, body: unknown): body is object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.entries(node.properties ?? {}).every(([key, schema]) => {
    const { const: constant } = open(side, schema);
    return constant === undefined || (body as Record<string, unknown>)[key] === constant;
  });
}

/** Of a union the variant whose type fits; else the first that is not null. */
function variant(side: Operation['side'], node: Schema, type = /_mock_ticketing$/): Schema {
  const all = (node.oneOf ?? node.anyOf ?? []).filter((one) => one.type !== 'null');
  const fitting = all.find((one) =>
    type.test(String(open(side, open(side, one).properties?.['type'] ?? {}).const)),
  );
  return fitting ?? all[0] ?? {};
}

function open(side: Operation['side'], schema: Schema): Schema {
  const name = schema.$ref?.split('/').pop();
  const found = name === undefined ? undefined : documentOf(side).components.schemas[name];
  return found ? open(side, found) : schema;
}
