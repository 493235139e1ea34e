import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, referencePage } from '#contract';
import { writeProblem } from './write-answer.js';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the page's own library writes styles
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference as a page. It asks for a token: the documents are served to callers only. */
@Controller()
export class ReferenceController {
  @Get('/')
  root(@Res() response: ServerResponse): void {
    response.writeHead(302, { location: '/reference/' }).end();
  }

  @Get(['reference', 'reference/:file'])
  file(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @Param('file') name = '',
  ): void {
    if (request.url === '/reference') {
      this.root(response); // the page's files are named relative to the folder
      return;
    }
    const found = referencePage(name);
    if (found === undefined) {
      writeProblem(response, new ApiError(404, 'the reference has no such file'), 'none');
      return;
    }
    response
      .writeHead(200, { 'content-type': found.type, 'content-security-policy': policy })
      .end(found.content);
  }
}
