import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Logger, Options, Param, Post, Query, Req, Res } from '@nestjs/common';
import { Bus, type CallOptions, type SignOnStep } from '#bus';
import { isId } from '#config';
import { ApiError, badRequest } from '#contract';
import { Metrics } from '#observe';
import { ClientAddresses } from './client-address.js';
import { allowOrigin, answerOptions } from './cross-origin.js';
import { GatewaySettings } from './gateway-settings.js';
import { BodyBudget, type BodyLease } from './body-budget.js';
import { drainBody } from './drain-body.js';
import { sendNotice } from './notice-page.js';
import { parseJson } from './read-body.js';
import { readBytes } from './read-bytes.js';
import { RateLimits } from './rate-limits.js';
import { ownUrl } from './served-here.js';
import {
  browserSecret,
  clearBrowserSecret,
  newBrowserSecret,
  setBrowserSecret,
} from './sign-on-cookie.js';
import { asApiError, writeProblem, writeReply } from './write-answer.js';

/** A SAML response in base64, percent-encoded. */
export const maxFormBytes = 524_288;
export const maxFormFields = 20;
export const codeLimits = { maxBytes: 4_096, maxValues: 20, maxDepth: 4 };
/** Long enough for calls of identity providers. */
const budgetMs = 40_000;
const signOnForm = /^[\w-]{22}$/;

const log = new Logger('gateway');

/**
 * Single sign-on for browsers. These URLs are not operations of the API: people reach them by redirects and forms. The gateway handles
 * cookies and HTTP, the management service the steps.
 */
@Controller('sso/:organization')
export class SignOnController {
  constructor(
    private readonly bus: Bus,
    private readonly settings: GatewaySettings,
    private readonly metrics: Metrics,
    private readonly bodies: BodyBudget,
    private readonly addresses: ClientAddresses,
    private readonly limits: RateLimits,
  ) {}

  /** `return_to` is a page of an allowed origin or of this service, which gets a code to exchange; without it the browser displays the session. */
  @Get('start/:sso')
  async start(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('organization') organizationId: string,
    @Param('sso') sso: string,
    @Query('return_to') returnTo: unknown,
    @Query('state') state: unknown,
  ): Promise<void> {
    await this.answer('sso.begin', request, response, async (visit, options) => {
      const secret = newBrowserSecret();
      const { signOn, location, secure } = await this.bus.call(
        'sso.begin',
        {
          organizationId,
          visit,
          sso,
          secret,
          returnTo: this.readReturnTo(returnTo, request),
          returnState: readState(state),
        },
        options,
      );
      setBrowserSecret(response, signOn, secret, secure);
      redirect(response, location);
    });
  }

  @Get('oidc/callback')
  async oidcCallback(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('organization') organizationId: string,
    @Query('state') state: unknown,
  ): Promise<void> {
    await this.answer('sso.oidc_answer', request, response, async (visit, options) => {
      const signOn = readSignOn(state, 'query', 'state');
      const browser = browserSecret(request, signOn);
      const search = new URL(request.url ?? '', 'http://gateway').search;
      const input = { organizationId, visit, signOn, browser, search };
      redirect(response, (await this.bus.call('sso.oidc_answer', input, options)).location);
    });
  }

  @Post('saml/acs')
  async samlAnswer(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('organization') organizationId: string,
  ): Promise<void> {
    await this.answer('sso.saml_answer', request, response, async (visit, options, lease) => {
      const form = await readForm(request, lease);
      const signOn = readSignOn(form.get('RelayState'), 'body', 'RelayState');
      const samlResponse = form.get('SAMLResponse') ?? '';
      const input = { organizationId, visit, signOn, response: samlResponse };
      redirect(response, (await this.bus.call('sso.saml_answer', input, options)).location);
    });
  }

  @Get('saml/metadata')
  async samlMetadata(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('organization') organizationId: string,
  ): Promise<void> {
    await this.answer('sso.saml_metadata', request, response, async (_visit, options) => {
      // The metadata contain the id, and XML has no control characters.
      if (!isId(organizationId))
        throw new ApiError(404, 'there is no such organization', {
          remediation: 'Use the address of the metadata that the sign-on shows.',
        });
      const { xml } = await this.bus.call('sso.saml_metadata', { organizationId }, options);
      const headers = { 'content-type': 'application/samlmetadata+xml' };
      await writeReply(response, { status: 200, headers, body: Buffer.from(xml) }, isHead(request));
    });
  }

  @Get('finish')
  async finish(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('organization') organizationId: string,
    @Query('sign_on') named: unknown,
    @Query('code') code: unknown,
  ): Promise<void> {
    await this.answer('sso.finish', request, response, async (visit, options) => {
      const signOn = readSignOn(named, 'query', 'sign_on');
      const input = {
        organizationId,
        visit,
        code: String(code),
        browser: browserSecret(request, signOn),
      };
      const done = await this.bus.call('sso.finish', input, options);
      clearBrowserSecret(response, signOn);
      if ('location' in done) redirect(response, done.location);
      else await writeJson(response, done.logon);
    });
  }

  /** Returns the response of a logon to the page that got a code. */
  @Post('exchange')
  async exchange(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('organization') organizationId: string,
  ): Promise<void> {
    allowOrigin(this.settings.corsOrigins, request, response);
    await this.answer('sso.exchange', request, response, async (visit, options, lease) => {
      const code = readCode(await readBytes(request, codeLimits.maxBytes, lease));
      const logon = await this.bus.call('sso.exchange', { organizationId, visit, code }, options);
      await writeJson(response, logon);
    });
  }

  @Options('exchange')
  exchangeOptions(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    allowOrigin(this.settings.corsOrigins, request, response);
    answerOptions(request, response, 'POST, OPTIONS');
  }

  private async answer(
    step: string,
    request: IncomingMessage,
    response: ServerResponse,
    work: (visit: SignOnStep['visit'], options: CallOptions, lease: BodyLease) => Promise<void>,
  ): Promise<void> {
    const requestId = randomUUID();
    const finished = this.metrics.request(step);
    const address = this.addresses.of(request);
    const lease = this.bodies.open(address, true);
    response.setHeader('x-request-id', requestId);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cache-control', 'no-store');
    // The URL contains a code.
    response.setHeader('referrer-policy', 'no-referrer');
    try {
      // Express would run the GET handler, and a step can run only once.
      if (isHead(request) && step !== 'sso.saml_metadata')
        throw new ApiError(405, 'a step of a sign-on does not support the method HEAD', {
          remediation: 'Open the address in a browser.',
          headers: { allow: 'GET' },
        });
      refuseNul(request.url ?? '');
      this.limits.takeAnonymous(address);
      const visit = {
        requestId,
        method: request.method ?? '',
        path: (request.url ?? '').split('?', 1)[0] ?? '',
        remoteAddress: address,
        userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
      };
      await work(visit, { requestId, deadline: Date.now() + budgetMs }, lease);
    } catch (error) {
      const failure = asApiError(error);
      if (failure.status === 500)
        log.error({ message: 'request', request_id: requestId, step, error: failure.cause });
      if (isPerson(request)) this.sendFailure(request, response, failure, requestId);
      else writeProblem(response, failure, requestId, isHead(request));
    } finally {
      lease.release();
      drainBody(request);
      finished(response.statusCode);
    }
  }

  /** Says why a step failed to the person in front of the browser, with a way back to the logon. */
  private sendFailure(
    request: IncomingMessage,
    response: ServerResponse,
    { status, message, options: { remediation, headers } }: ApiError,
    requestId: string,
  ): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    const asked = new URL(request.url ?? '', 'http://gateway').searchParams.get('return_to');
    const back = this.allowedPage(asked, request) ?? (this.settings.console ? '/console/' : null);
    sendNotice(request, response, {
      message: `Single sign-on did not work: ${message}. ${remediation ?? ''} (${requestId})`,
      language: 'en',
      status,
      requestId,
      ...(back === null ? {} : { link: { href: back, text: 'Back to the logon' } }),
    });
  }

  /** @throws ApiError 400 for a page that is not of an allowed origin, because it would get the session */
  private readReturnTo(value: unknown, request: IncomingMessage): string | null {
    if (value === undefined) return null;
    const page = this.allowedPage(value, request);
    if (page !== undefined) return page;
    throw badRequest({
      location: 'query',
      pointer: 'return_to',
      message: 'is not a page of an allowed origin',
      remediation: 'The operator allows origins with CORS_ORIGINS.',
    });
  }

  private allowedPage(value: unknown, { headers }: IncomingMessage): string | undefined {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    const own = ownUrl(headers, this.settings);
    const origins = [
      ...this.settings.corsOrigins,
      ...(URL.canParse(own) ? [new URL(own).origin] : []),
    ];
    return url && url.href.length <= 2_048 && origins.includes(url.origin) ? url.href : undefined;
  }
}

/** @throws ApiError 400 for a percent-encoded U+0000 in a URL */
function refuseNul(url: string): void {
  const at = url.indexOf('%00');
  if (at < 0) return;
  const query = url.indexOf('?');
  throw badRequest({
    location: query >= 0 && query < at ? 'query' : 'path',
    pointer: '',
    message: 'holds the character U+0000, which cannot be stored',
    remediation: 'Remove %00 from the address.',
  });
}

function readState(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length <= 1_024) return value;
  throw badRequest({
    location: 'query',
    pointer: 'state',
    message: 'must be one text of at most 1024 characters',
  });
}

/** @throws ApiError 400 */
function readSignOn(value: unknown, location: 'query' | 'body', pointer: string): string {
  if (typeof value === 'string' && signOnForm.test(value)) return value;
  throw badRequest({
    location,
    pointer,
    message: 'names no sign-on',
    remediation: 'Start the sign-on at this service: unsolicited responses are refused.',
  });
}

async function readForm(request: IncomingMessage, lease: BodyLease): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new ApiError(415, `the content type ${type ?? '(none)'} is not supported`, {
      remediation: 'Send a form, as the HTTP POST binding of SAML says.',
    });
  const text = (await readBytes(request, maxFormBytes, lease)).toString();
  if (text.split('&', maxFormFields + 1).length > maxFormFields)
    throw badRequest({
      location: 'body',
      pointer: '',
      message: `has more than ${maxFormFields} fields`,
      remediation: 'Send the fields SAMLResponse and RelayState.',
    });
  return new URLSearchParams(text);
}

/** @throws ApiError 400 */
function readCode(bytes: Buffer): string {
  const body = parseJson(bytes, codeLimits) as { code?: unknown } | null;
  if (typeof body?.code === 'string' && body.code.length <= 128) return body.code;
  throw badRequest({
    location: 'body',
    pointer: '/code',
    message: 'must be the code that the page was given',
    remediation: 'Send {"code": "..."} with the code of the page\'s address.',
  });
}

/** True for a browser that shows a page, other than for scripts and programs. */
function isPerson({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}

async function writeJson(response: ServerResponse, value: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify(value));
  await writeReply(response, { status: 200, headers, body }, false);
}

function isHead({ method }: IncomingMessage): boolean {
  return method === 'HEAD';
}
