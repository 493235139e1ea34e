import type { Service } from './service.js';

/**
 * Adds a custom provider of any domain to the organization.
 * @param operation a list of the domain, its only operation
 * @param credentials credentials of the document, as YAML
 */
export async function addProvider(
  service: Pick<Service, 'call'>,
  provider: string,
  operation: string,
  credentials = '{}',
): Promise<void> {
  const data = `
provider: ${provider}
version: 1.0.0
fullname: ${provider}
vendor: Tests
credentials: ${credentials}
http: { base_url: '"http://127.0.0.1:9"' }
operations:
  ${operation}:
    steps: [{ name: rows, path: /rows }]
    rows: this.steps.rows
`;
  const { status, message } = await service.call('POST', '/v1/customs', { data });
  if (status !== 200) throw new Error(`the provider ${provider} was refused: ${message}`);
}
