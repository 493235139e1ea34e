import { servedDocument } from '#contract';
import { ContractSchemas, type Schema, showFields } from './contract-schemas.js';

/**
 * Says how the contract configures a provider: the fields of provider_config, and the kinds of each credential.
 * @returns undefined for an id that the contract does not name
 */
export function showProvider(id: string): string | undefined {
  const { components } = JSON.parse(servedDocument('management', '/')) as {
    components: { schemas: Record<string, Schema> };
  };
  const { ProviderConfig: union } = components.schemas;
  const $ref = union?.discriminator?.mapping[id];
  if ($ref === undefined) return undefined;
  const schemas = new ContractSchemas(components.schemas);
  const fields = schemas.fieldsOf(schemas.resolve({ $ref })).filter(({ name }) => name !== 'type');
  const about = `${id}: provider_config as the contract has it`;
  return [about, '', ...showFields(fields), ''].join('\n');
}
