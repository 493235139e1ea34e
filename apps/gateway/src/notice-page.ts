import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The page is shown for a moment, in a window of its own, so it has its few rules with it. */
const style = `body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:light-dark(#f6f7f9,#12141a);color:light-dark(#1b1f2a,#e8eaf1)}
main{margin:16px;padding:28px;max-width:420px;border:1px solid light-dark(#dcdfe6,#313646);border-radius:8px;background:light-dark(#fff,#1a1d26)}
p{margin:0;overflow-wrap:anywhere}`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** A sentence for somebody who comes from a provider or goes there. */
export interface Notice {
  message: string;
  language: string;
  status: number;
  requestId: string;
  /** Where the person goes on. */
  link?: { href: string; text: string };
}

/** Sends a page that says one sentence. */
export function sendNotice(
  { method }: IncomingMessage,
  response: ServerResponse,
  notice: Notice,
): void {
  response
    .writeHead(notice.status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer', // the address has a code or a state
      'x-content-type-options': 'nosniff',
      'x-request-id': notice.requestId,
    })
    .end(method === 'HEAD' ? undefined : pageOf(notice));
}

function pageOf({ message, language, link }: Notice): string {
  const text = escaped(message);
  const next = link ? `<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p>` : '';
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${text}</title>
<style>${style}</style>
<main><p role="status">${text}</p>${next}</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
