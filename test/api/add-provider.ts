import type { OperationId } from '#contract';
import type { Service } from './service.js';

/**
 * Writes the document of a custom provider.
 * @param operation a list of the domain, its only operation
 * @param more the name that is shown; credentials as YAML; further lines of the document
 */
export function documentOf(
  provider: string,
  operation: OperationId,
  { fullname = provider, credentials = '{}', facts = '' } = {},
): string {
  return `
provider: ${provider}
version: 1.0.0
fullname: ${fullname}
vendor: Tests
${facts}
credentials: ${credentials}
http: { base_url: '"http://127.0.0.1:9"' }
operations:
  ${operation}:
    steps: [{ name: rows, path: /rows }]
    rows: this.steps.rows
`;
}

/** Adds a custom provider of any domain to the organization, with a {@link documentOf}. */
export async function addProvider(
  service: Pick<Service, 'call'>,
  ...document: Parameters<typeof documentOf>
): Promise<void> {
  const data = documentOf(...document);
  const { status, message } = await service.call('POST', '/v1/customs', { data });
  if (status !== 200) throw new Error(`the provider ${document[0]} was refused: ${message}`);
}
