import { Controller, Get, Res } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Health } from '#observe';

/**
 * `/health/live` and `/health/ready` for load balancers that reach only the port of the API. Strangers reach it too: they are told the status, and
 * the operator asks at `OBSERVE_PORT` what is missing.
 */
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  live(@Res() response: ServerResponse): void {
    answer(response, 200, { live: true });
  }

  @Get('ready')
  async ready(@Res() response: ServerResponse): Promise<void> {
    const { ready } = await this.health.readiness();
    answer(response, ready ? 200 : 503, { ready });
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
