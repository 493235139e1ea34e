import { fault } from './faults.js';

const longestUrl = 2_048;

/** An address that messages are to be sent to. What it resolves to is judged when something is sent. @throws ApiError 400 */
export function checkWebhookUrl(url: string, pointer: string): string {
  const refuse = (message: string) =>
    fault(pointer, message, { remediation: 'Write it as https://host/path.' });
  if (url.length > longestUrl) throw refuse(`has ${url.length} characters, at most ${longestUrl}`);
  if (!URL.canParse(url)) throw refuse('is not a URL');
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw refuse('is no https or http address');
  if (username || password) throw refuse('holds a user or password, which answers would show');
  return url;
}
