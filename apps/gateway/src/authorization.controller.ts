import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import { type AuthorizationOutcome, Bus } from '#bus';
import { ApiError, type Locale, localeOf } from '#contract';
import { Metrics } from '#observe';
import { ClientAddresses } from './client-address.js';
import { RateLimits } from './rate-limits.js';
import { asApiError } from './write-answer.js';

/** Long enough for the exchange of the code. */
const budgetMs = 30_000;
/** A code and a state; providers add a few words of their own. */
const maxSearchLength = 8_192;
const maxLanguagesLength = 200;

/** Said when the call that has all other words failed. */
const failureWords: Record<Locale, string> = {
  en: 'This did not work. Begin again.',
  de: 'Das hat nicht funktioniert. Beginnen Sie von vorn.',
  es: 'No ha funcionado. Empiece de nuevo.',
  fr: 'Cela n’a pas fonctionné. Recommencez.',
  ja: '処理できませんでした。最初からやり直してください。',
};

/** The page is shown for a moment, in a window of its own, so it has its few rules with it. */
const style = `body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:light-dark(#f6f7f9,#12141a);color:light-dark(#1b1f2a,#e8eaf1)}
main{margin:16px;padding:28px;max-width:420px;border:1px solid light-dark(#dcdfe6,#313646);border-radius:8px;background:light-dark(#fff,#1a1d26)}
p{margin:0;overflow-wrap:anywhere}`;
const styleHash = createHash('sha256').update(style).digest('base64');

const log = new Logger('gateway');

/** Takes browsers back from the pages where people authorize the host's application at a provider. */
@Controller()
export class AuthorizationController {
  constructor(
    private readonly bus: Bus,
    private readonly addresses: ClientAddresses,
    private readonly metrics: Metrics,
    private readonly limits: RateLimits,
  ) {}

  @Get('connect/oauth/callback')
  async callback(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const remoteAddress = this.addresses.of(request);
    this.limits.takeAnonymous(remoteAddress);
    const requestId = randomUUID();
    const finished = this.metrics.request('connect.authorization_answer');
    const outcome = await this.outcome(request, requestId, remoteAddress);
    const status = outcome.status === 'granted' ? 200 : 400;
    response
      .writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
        'referrer-policy': 'no-referrer', // the address has a code
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
      })
      .end(request.method === 'HEAD' ? undefined : pageOf(outcome));
    finished(status);
  }

  private async outcome(
    request: IncomingMessage,
    requestId: string,
    remoteAddress: string,
  ): Promise<AuthorizationOutcome> {
    const [path = '', asked = ''] = (request.url ?? '').split('?', 2);
    // Programs that look at links before people do send HEAD; the code is exchanged once.
    const isAnswer =
      request.method === 'GET' && asked.length <= maxSearchLength && !asked.includes('%00');
    const search = isAnswer ? asked : ''; // a page that says that there is no such authorization
    const acceptLanguage = (request.headers['accept-language'] ?? '').slice(0, maxLanguagesLength);
    const visit = {
      requestId,
      method: 'GET',
      path,
      remoteAddress,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
    };
    try {
      const options = { requestId, deadline: Date.now() + budgetMs };
      const input = { search, visit, acceptLanguage };
      return await this.bus.call('connect.authorization_answer', input, options);
    } catch (error) {
      const failure: ApiError = asApiError(error);
      log.error({ message: 'authorization', request_id: requestId, error: failure.message });
      const language = localeOf(undefined, acceptLanguage); // the session is with the call that failed
      return { status: 'refused', message: `${failureWords[language]} (${requestId})`, language };
    }
  }
}

function pageOf({ message, language }: AuthorizationOutcome): string {
  const text = message.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${text}</title>
<style>${style}</style>
<main><p role="status">${text}</p></main>
</html>
`;
}
