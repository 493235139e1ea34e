import { fault } from '#management/shared';
import type { OrganizationWebhook, Transaction } from '#store';

const longestUrl = 2_048;
const longestSecret = 1_024;

/** The address events are to be sent to. What it resolves to is judged when something is sent. @throws ApiError 400 */
export function checkUrl(url: string): string {
  const refuse = (message: string) =>
    fault('/url', message, { remediation: 'Write it as https://host/path.' });
  if (url.length > longestUrl) throw refuse(`has ${url.length} characters, at most ${longestUrl}`);
  if (!URL.canParse(url)) throw refuse('is not a URL');
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw refuse('is no https or http address');
  if (username || password) throw refuse('holds a user or password, which answers would show');
  return url;
}

/** The secret under which deliveries will be signed. @throws ApiError 400 */
export function checkSecret({ value }: { value: string }): void {
  if (value.length === 0 || value.length > longestSecret)
    throw fault('/secret/value', `has ${value.length} characters`, {
      remediation: `Use 1 to ${longestSecret}; 32 random ones are hard to guess.`,
    });
}

/** The secret that signs a webhook's deliveries is one of its own credentials. @throws ApiError 400 */
export async function ownSecret(
  tx: Transaction,
  webhook: OrganizationWebhook,
  idOrName: string,
): Promise<string> {
  const found = await tx.credentials.find(idOrName, { ownerId: webhook.id });
  if (found === undefined)
    throw fault('/credential_id', 'names no credential of the webhook', {
      value: idOrName,
      remediation: `GET /v1/credentials/${webhook.id} lists them.`,
    });
  if (found.configType !== 'secret')
    throw fault('/credential_id', `the credential is of type ${found.configType}, not secret`, {
      value: idOrName,
      remediation: `POST /v1/credentials/${webhook.id} makes one of type secret.`,
    });
  return found.id;
}
