import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { Bus } from '#bus';
import { ApiError } from '#contract';
import { connectFolder, Pages, policyHeaders, ProviderImages } from '#pages';
import { ClientAddresses } from './client-address.js';
import { allowOrigin } from './cross-origin.js';
import { GatewaySettings } from './gateway-settings.js';
import { RateLimits } from './rate-limits.js';
import { publicUrl } from './served-here.js';

const prefix = '/connect/';
const script = 'embed-1.js';
/** Files that pages of hosts load: the script, and its hash for `integrity`. */
const ofHosts: ReadonlySet<string> = new Set([script, 'embed-1.json']);
const budgetMs = 10_000;
const maxNameLength = 200;

/**
 * Serves the built files of the Connect UI, which contain no data: `/connect/{organization}/` is the page, which pages of the origins that
 * the organization lists may frame, `/connect/` the same for links, and `/connect/embed-1.js` the script for pages of hosts.
 */
@Controller()
export class ConnectController {
  private readonly pages: Pages | undefined;
  private readonly isHttps: boolean;

  /** @throws Error if the Connect UI is to be served and was not built */
  constructor(
    private readonly bus: Bus,
    private readonly settings: GatewaySettings,
    private readonly addresses: ClientAddresses,
    private readonly limits: RateLimits,
    images: ProviderImages,
  ) {
    this.isHttps = publicUrl(settings)?.startsWith('https:') ?? false;
    if (settings.connect)
      this.pages = Pages.read(connectFolder, policyHeaders({ isHttps: this.isHttps }), { images });
  }

  @Get('connect.js')
  newestScript(@Res() response: ServerResponse): void {
    const headers = { location: `${prefix}${script}`, 'cache-control': 'no-cache', ...forAnybody };
    response.writeHead(302, headers).end();
  }

  @Get(['connect', 'connect/*path'])
  async file(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    if (this.pages === undefined)
      throw refusal('the Connect UI is not served on this installation', 'Set CONNECT=yes.');
    const name = path.slice(prefix.length);
    if (path === '/connect') response.writeHead(302, { location: prefix }).end();
    else if (ofHosts.has(name) || name.startsWith('assets/'))
      this.sendFile(this.pages, name, request, response);
    else await this.sendPage(this.pages, name.replace(/\/$/, ''), request, response);
  }

  private sendFile(
    pages: Pages,
    name: string,
    { headers }: IncomingMessage,
    response: ServerResponse,
  ): void {
    const found = pages.answer(name, headers);
    if (found === undefined) throw refusal('the Connect UI has no such file', 'Reload the page.');
    const own = ofHosts.has(name) ? forAnybody : {};
    response.writeHead(found.status, { ...found.headers, ...own }).end(found.body);
  }

  private async sendPage(
    pages: Pages,
    organization: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const framedBy = await this.originsOf(organization, request);
    const { 'accept-encoding': encoding = '' } = request.headers;
    const found = pages.answer('', { 'accept-encoding': encoding });
    if (found === undefined) throw new Error(`there is no page in ${connectFolder}`);
    const { etag: _etag, 'x-frame-options': _deny, ...headers } = found.headers;
    // A console at another origin says which pages may frame this one.
    if (allowOrigin(this.settings.corsOrigins, request, response))
      response.setHeader('access-control-expose-headers', 'content-security-policy');
    response
      .writeHead(found.status, {
        ...headers,
        ...policyHeaders({ isHttps: this.isHttps, framedBy, hasPopups: true }),
        'cache-control': 'no-store', // a kept copy would name the origins of another time
      })
      .end(found.body);
  }

  /** Nobody may frame the page of an organization that lists no origins, or does not exist. */
  private async originsOf(name: string, request: IncomingMessage): Promise<readonly string[]> {
    const organization = decodeURIComponent(name); // the router has refused what cannot be decoded
    if (organization === '' || organization.length > maxNameLength) return [];
    if (organization.includes('\0')) return []; // the database has no such text
    this.limits.takeAnonymous(this.addresses.of(request));
    const options = { requestId: randomUUID(), deadline: Date.now() + budgetMs };
    const { origins } = await this.bus.call('connect.origins', { organization }, options);
    return origins;
  }
}

/** Pages of every host load the script, with `integrity` too. */
const forAnybody = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

function refusal(message: string, remediation: string): ApiError {
  return new ApiError(404, message, { remediation });
}
