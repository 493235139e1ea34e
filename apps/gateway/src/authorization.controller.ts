import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Logger, Req, Res } from '@nestjs/common';
import { type AuthorizationOutcome, Bus } from '#bus';
import { ApiError, type Locale, localeOf } from '#contract';
import { Metrics } from '#observe';
import { ClientAddresses } from './client-address.js';
import { readGrantBrowser } from './grant-browsers.js';
import { sendNotice } from './notice-page.js';
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
    sendNotice(request, response, { ...outcome, status, requestId });
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
    const state = new URLSearchParams(asked).get('state') ?? '';
    const search = isAnswer ? asked : ''; // a page that says that there is no such authorization
    const browser = readGrantBrowser(request, state);
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
      const input = { search, browser, visit, acceptLanguage };
      return await this.bus.call('connect.authorization_answer', input, options);
    } catch (error) {
      const failure: ApiError = asApiError(error);
      log.error({ message: 'authorization', request_id: requestId, error: failure.message });
      const language = localeOf(undefined, acceptLanguage); // the session is with the call that failed
      return { status: 'refused', message: `${failureWords[language]} (${requestId})`, language };
    }
  }
}
