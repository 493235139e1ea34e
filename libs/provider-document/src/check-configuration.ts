import type { DocumentReader } from './document-reader.js';
import type { DocumentSource } from './source.js';

interface Property {
  writeOnly?: unknown;
  format?: unknown;
  properties?: Record<string, Property>;
}

/** Checks that no configuration contains a secret or a name that is used twice, which the schema of documents cannot express. */
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
      reader.fault([...place, name], 'type is always present: it is the id of the provider');
    if (Object.hasOwn(credentials, name))
      reader.fault([...place, name], `${name} is already the name of a credential`);
  }
  checkSecrets(reader, place, properties);
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
