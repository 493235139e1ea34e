import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, referenceFile } from '#contract';
import { GatewaySettings } from './gateway-settings.js';
import { publicUrl } from './served-here.js';
import { writeProblem } from './write-answer.js';

/**
 * Serves the API reference: a page, and copies of both OpenAPI documents. None needs a token, because they contain no data; the page has a
 * field for the token of the requests that it sends.
 */
@Controller()
export class ReferenceController {
  private readonly headers: Record<string, string>;
  private readonly serverUrl: string;

  constructor(private readonly settings: GatewaySettings) {
    const url = publicUrl(settings);
    // Relative to the documents, so that it is the address at which the page was opened, and not what a client sent as `Host`.
    this.serverUrl = url ?? '..';
    this.headers = {
      'content-security-policy': policy(url),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    };
  }

  @Get('/')
  root(@Res() response: ServerResponse): void {
    if (this.settings.console) redirect(response, '/console/');
    else if (this.settings.referencePage) redirect(response, '/reference/');
    else refuse(response, 'there is no page here');
  }

  @Get(['reference', 'reference/:file'])
  file(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('file') name = 'index.html',
  ): void {
    if (!this.settings.referencePage) {
      refuse(response, 'the API reference is closed on this installation');
      return;
    }
    const { url = '' } = request;
    if (/^\/reference(?:\?|$)/.test(url)) {
      redirect(response, url.replace('/reference', '/reference/')); // the page refers to its files relative to the folder
      return;
    }
    const found = referenceFile(name, this.serverUrl);
    if (found === undefined) {
      refuse(response, 'the reference has no such file');
      return;
    }
    response.writeHead(200, { 'content-type': found.type, ...this.headers }).end(found.content);
  }
}

/** Nothing may be loaded from outside, and requests go to this service only. */
function policy(url: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // the library of the page writes inline styles
    "img-src 'self' data:",
    `connect-src 'self'${url === undefined ? '' : ` ${new URL(url).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

function refuse(response: ServerResponse, message: string): void {
  const remediation =
    'With a token the OpenAPI documents are at /v1/meta/openapi/management and /v1/meta/openapi/engine.';
  writeProblem(response, new ApiError(404, message, { remediation }), 'none');
}
