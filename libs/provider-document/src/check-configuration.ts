import { suggestName } from '@onefold/mapping';
import type { DocumentReader } from './document-reader.js';
import type { DocumentSource } from './source.js';

/** Keywords of JSON Schema. Others would be ignored where values are checked, so that a misspelt one would check nothing. */
const keywords = new Set(
  [
    '$schema $id $ref $defs $anchor $comment definitions',
    'title description default examples deprecated readOnly writeOnly',
    'type enum const allOf anyOf oneOf not if then else',
    'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum',
    'maxLength minLength pattern format contentEncoding contentMediaType contentSchema',
    'items prefixItems additionalItems contains minContains maxContains',
    'maxItems minItems uniqueItems unevaluatedItems',
    'properties patternProperties additionalProperties required propertyNames',
    'minProperties maxProperties dependentRequired dependentSchemas dependencies',
    'unevaluatedProperties',
  ].flatMap((line) => line.split(' ')),
);
const schemaKeywords =
  'not if then else items additionalItems contains additionalProperties propertyNames'.split(' ');
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const mapKeywords = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

interface Property {
  writeOnly?: unknown;
  format?: unknown;
  properties?: Record<string, Property>;
}

/** Checks that no configuration contains a secret, a name that is used twice or an unknown keyword, which the schema of documents cannot express. */
export function checkConfigurations(reader: DocumentReader, source: DocumentSource): void {
  checkConfiguration(reader, source, ['configuration'], source.configuration);
  for (const [type, { configuration }] of Object.entries(source.providers ?? {}))
    checkConfiguration(reader, source, ['providers', type, 'configuration'], configuration);
}

function checkConfiguration(
  reader: DocumentReader,
  { credentials = {} }: DocumentSource,
  at: readonly string[],
  configuration: unknown,
): void {
  const { properties = {} } = (configuration ?? {}) as Property;
  const place = [...at, 'properties'];
  for (const name of Object.keys(properties)) {
    if (name === 'type')
      reader.keyFault([...place, name], 'type is always present: it is the id of the provider');
    if (Object.hasOwn(credentials, name))
      reader.keyFault([...place, name], `${name} is already the name of a credential`);
  }
  checkSecrets(reader, place, properties);
  checkKeywords(reader, at, configuration);
}

/** Checks that a schema, and those within it, have keywords that exist. */
function checkKeywords(
  reader: DocumentReader,
  at: readonly (string | number)[],
  schema: unknown,
): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  for (const [key, value] of Object.entries(schema as Record<string, unknown>)) {
    const here = [...at, key];
    if (!keywords.has(key) && !key.startsWith('x-'))
      reader.keyFault(
        here,
        `unknown key "${key}"`,
        suggestName(key, keywords) ??
          'It is not a keyword of JSON Schema; keys of your own begin with x-.',
      );
    else if (schemaKeywords.includes(key)) checkKeywords(reader, here, value);
    else if (listKeywords.includes(key) && Array.isArray(value))
      value.forEach((one, index) => checkKeywords(reader, [...here, index], one));
    else if (mapKeywords.includes(key))
      for (const [name, one] of Object.entries(value ?? {}))
        checkKeywords(reader, [...here, name], one);
  }
}

function checkSecrets(
  reader: DocumentReader,
  place: string[],
  properties: Record<string, Property>,
): void {
  for (const [name, property] of Object.entries(properties)) {
    const here = [...place, name];
    if (property.writeOnly === true || property.format === 'password')
      reader.fault(
        here,
        'the configuration can be read by everybody who may read the integration',
        'Declare secrets under credentials.',
      );
    checkSecrets(reader, [...here, 'properties'], property.properties ?? {});
  }
}
