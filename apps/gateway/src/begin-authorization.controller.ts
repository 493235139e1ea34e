import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { Bus } from '#bus';
import { ClientAddresses } from './client-address.js';
import { bindGrant } from './grant-browsers.js';
import { sendNotice } from './notice-page.js';
import { RateLimits } from './rate-limits.js';

const budgetMs = 10_000;
const maxUrlLength = 500;
const maxLanguagesLength = 200;

/** Begins an authorization in a browser: binds it to that browser, and leads to the page of the provider. */
@Controller()
export class BeginAuthorizationController {
  constructor(
    private readonly bus: Bus,
    private readonly addresses: ClientAddresses,
    private readonly limits: RateLimits,
  ) {}

  @Get('connect/oauth/begin')
  async begin(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    this.limits.takeAnonymous(this.addresses.of(request));
    const requestId = randomUUID();
    const { url = '', headers } = request;
    const state = new URLSearchParams(url.slice(url.indexOf('?') + 1, maxUrlLength)).get('state');
    const { location, isSecure, ...words } = await this.bus.call(
      'connect.authorization_page',
      {
        state: state ?? '',
        acceptLanguage: (headers['accept-language'] ?? '').slice(0, maxLanguagesLength),
      },
      { requestId, deadline: Date.now() + budgetMs },
    );
    if (location === null || state === null)
      return sendNotice(request, response, { ...words, requestId, status: 400 });
    if (isLed(request)) {
      const link = { href: `?${new URLSearchParams({ state }).toString()}`, text: words.next };
      return sendNotice(request, response, { ...words, requestId, status: 200, link });
    }
    // Programs that look at links before people do send HEAD.
    if (request.method === 'GET') bindGrant(response, state, isSecure);
    response
      .writeHead(302, {
        location,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-request-id': requestId,
      })
      .end();
  }
}

/**
 * True where another page than one of ours, or a link in a mail, has led the browser here: somebody else may have begun. Browsers say so
 * themselves; those that are too old for it say nothing.
 */
function isLed({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}
