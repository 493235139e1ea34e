import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, referencePage } from '#contract';
import { writeProblem } from './write-answer.js';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the library of the page writes inline styles
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the API reference page. The page asks for a token, because the documents need one. */
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
      this.root(response); // the page refers to its files relative to the folder
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
