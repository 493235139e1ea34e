import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiError } from '#contract';
import { consolePrefix as prefix, type Pages, ProviderImages, readConsole } from '#pages';
import { GatewaySettings } from './gateway-settings.js';
import { publicUrl } from './served-here.js';
import { writeProblem } from './write-answer.js';

/** Serves the built files of the console. They need no token, because they contain no data. */
@Controller()
export class ConsoleController {
  private readonly pages: Pages | undefined;

  /** @throws Error if the console is to be served and was not built */
  constructor(settings: GatewaySettings, images: ProviderImages) {
    if (!settings.console) return;
    const url = publicUrl(settings);
    const origins = url === undefined ? [] : [new URL(url).origin];
    this.pages = readConsole({ origins, isHttps: url?.startsWith('https:'), images });
  }

  @Get(['console', 'console/*path'])
  file(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    const [path = ''] = (request.url ?? '').split('?');
    if (this.pages === undefined) {
      refuse(response, 'the console is not served on this installation', 'Set CONSOLE=yes.');
      return;
    }
    if (path === '/console') {
      response.writeHead(302, { location: prefix }).end();
      return;
    }
    const answer = this.pages.answer(path.slice(prefix.length), request.headers);
    if (answer === undefined)
      refuse(response, 'the console has no such file', `Open ${prefix}, or reload the page.`);
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}

function refuse(response: ServerResponse, message: string, remediation: string): void {
  writeProblem(response, new ApiError(404, message, { remediation }), 'none');
}
