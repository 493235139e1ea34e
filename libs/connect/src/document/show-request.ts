import { FileBody, type ProviderRequest, type Redactor } from '#provider-http';
import type { ShownRequest } from './rehearsed-request.js';

const mark = '[secret]';

/** Shows a request to callers: headers that carry a secret keep their scheme, and nothing else of them. */
export function showRequest(
  { method, url, headers, secretHeaders, body }: ProviderRequest,
  redactor: Redactor,
): ShownRequest {
  return {
    method,
    url: redactor.text(url.href),
    headers: showHeaders(headers, secretHeaders, redactor),
    ...(body === undefined ? {} : { body: parsed(redactor.text(showBody(body))) }),
  };
}

/** Returns headers without secrets. @param secretHeaders names of those that carry one */
export function showHeaders(
  headers: Readonly<Record<string, string>>,
  secretHeaders: readonly string[],
  redactor: Redactor,
): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    secretHeaders.includes(name) ? maskHeader(value) : redactor.text(value),
  ]);
  return Object.fromEntries(shown) as Record<string, string>;
}

function maskHeader(value: string): string {
  const scheme = /^(?:Basic|Bearer|Splunk|Token|SSWS|GenieKey) /i.exec(value)?.[0] ?? '';
  return `${scheme}${mark}`;
}

/** Returns a body as a text, with its secrets. */
export function showBody(body: NonNullable<ProviderRequest['body']>): string {
  if (body instanceof FileBody) return '[file]';
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return `[${body.length} bytes]`;
  const fields = [...body.entries()].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : '[file]',
  ]);
  return JSON.stringify(Object.fromEntries(fields));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a form, XML or lines of JSON
  }
}
