import { FileBody, type ProviderRequest, type Redactor } from '#provider-http';
import type { ShownRequest } from './rehearsed-request.js';

const mark = '[secret]';

/** Shows a request to callers: headers that carry a secret keep their scheme, and nothing else of them. */
export function showRequest(
  { method, url, headers, secretHeaders, body }: ProviderRequest,
  redactor: Redactor,
): ShownRequest {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    secretHeaders.includes(name) ? maskHeader(value) : redactor.text(value),
  ]);
  return {
    method,
    url: redactor.text(url.href),
    headers: Object.fromEntries(shown) as Record<string, string>,
    ...(body === undefined ? {} : { body: showBody(body, redactor) }),
  };
}

function maskHeader(value: string): string {
  const scheme = /^(?:Basic|Bearer|Splunk|Token|SSWS|GenieKey) /i.exec(value)?.[0] ?? '';
  return `${scheme}${mark}`;
}

function showBody(body: NonNullable<ProviderRequest['body']>, redactor: Redactor): unknown {
  if (body instanceof FileBody) return '[file]';
  if (typeof body === 'string') return parsed(redactor.text(body));
  if (body instanceof Uint8Array) return `[${body.length} bytes]`;
  const fields = [...body.entries()].map(([name, value]) => [
    name,
    typeof value === 'string' ? redactor.text(value) : '[file]',
  ]);
  return Object.fromEntries(fields);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a form, XML or lines of JSON
  }
}
