import { sharedDescription } from '#test/harness';

// Its alternatives overlap: a whole number is a long and a double, a text is one that may be null, too.
/** Cases are Kibana's; names of indices and privileges are missing in the cut; it has the lines of a bulk request as one JSON. */
export const undescribed =
  /\/api\/cases|\/_resolve\/index|\/_security\/|\/_bulk \d+: the body is application\/x-ndjson/;
export const description = sharedDescription('elasticsearch.json', {}, anyOfInsteadOfOneOf);

function anyOfInsteadOfOneOf(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as { oneOf?: unknown; anyOf?: unknown };
  if (Array.isArray(schema.oneOf)) {
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
  }
  Object.values(schema).forEach(anyOfInsteadOfOneOf);
}
