import { LocatedDocument } from '#document';
import { MappingError, type TemplateFault } from '@onefold/mapping';

const secretName =
  /(^|[_-])(password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key)$/i;

interface Schema {
  properties?: Record<string, { type?: unknown; enum?: unknown }>;
}

/** Finds properties of `configuration` that look like secrets: a configuration is stored and shown as it is, credentials are sealed. */
export function secretProperties(text: string): TemplateFault[] {
  const document = new LocatedDocument(text, { validate: () => true, standIns: {} });
  const { configuration, providers = {} } = (document.value ?? {}) as {
    configuration?: Schema;
    providers?: Record<string, { configuration?: Schema } | null>;
  };
  note(document, ['configuration'], configuration);
  for (const [type, entry] of Object.entries(providers))
    note(document, ['providers', type, 'configuration'], entry?.configuration);
  try {
    document.finish();
    return [];
  } catch (error) {
    if (error instanceof MappingError) return [...error.faults];
    throw error;
  }
}

function note(document: LocatedDocument, place: string[], schema: Schema | undefined): void {
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const isText = property.type === undefined || property.type === 'string';
    if (!isText || property.enum !== undefined || !secretName.test(name)) continue;
    document.keyFault(
      [...place, 'properties', name],
      `${name} looks like a secret, and a configuration is stored and shown as it is`,
      'Declare it under credentials: this.credential has it there, and it is sealed.',
    );
  }
}
