import { servedDocument } from '#contract';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  discriminator?: { mapping: Record<string, string> };
}

/**
 * Says how the contract configures a provider: the fields of provider_config, and the kinds of each credential.
 * @returns undefined for an id that the contract does not name
 */
export function showProvider(id: string): string | undefined {
  const schemas = schemasOfManagement();
  const reference = providersOf(schemas)[id];
  if (reference === undefined) return undefined;
  const { properties = {}, required = [] } = resolve(schemas, { $ref: reference });
  const fields = Object.entries(properties).filter(([name]) => name !== 'type');
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  const lines = fields.map(([name, schema]) => {
    const need = required.includes(name) ? ' (required)' : '';
    return `  ${name.padEnd(width)}  ${describeField(resolve(schemas, schema))}${need}`;
  });
  return [`${id}: provider_config as the contract has it`, '', ...lines, ''].join('\n');
}

/** A credential is a union of kinds, each of which may also be the id of a stored one. */
function describeField({ type, discriminator, properties = {} }: Schema): string {
  const names = Object.keys(properties);
  if (discriminator !== undefined) {
    const kinds = Object.keys(discriminator.mapping).filter((kind) => !kind.endsWith('_id'));
    return `credential: ${kinds.join(' or ')}`;
  }
  if (names.length > 0) return `object of ${names.join(', ')}`;
  return [type]
    .flat()
    .filter((one) => one !== undefined && one !== 'null')
    .join(' or ');
}

function schemasOfManagement(): Record<string, Schema> {
  const { components } = JSON.parse(servedDocument('management', '/')) as {
    components: { schemas: Record<string, Schema> };
  };
  return components.schemas;
}

function providersOf({ ProviderConfig: union }: Record<string, Schema>): Record<string, string> {
  return union?.discriminator?.mapping ?? {};
}

function resolve(schemas: Record<string, Schema>, schema: Schema): Schema {
  const { $ref, anyOf } = schema;
  if ($ref !== undefined) return resolve(schemas, schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  const [first, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null');
  return first !== undefined && others.length === 0 ? resolve(schemas, first) : schema;
}
