import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '#test/harness';
import { type Service, startService } from '../api/service.js';

let service: Service;
let github: Server;
let url: string;
let requests = 0;

/** The part of GitHub that verify calls; it fails for one credential. */
beforeAll(async () => {
  service = await startService();
  github = createServer((request, response) => {
    requests += 1;
    const status = request.headers.authorization?.endsWith('unlucky') ? 500 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url?.includes('/issues') ? [] : { has_issues: true }));
  });
  await new Promise<void>((done) => github.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
});
afterAll(async () => {
  github.closeAllConnections();
  await new Promise((done) => github.close(done));
  await service.stop();
});

/** Verifies a configuration in a new organization. */
async function tenant(name: string) {
  const { access } = await service.organization(name);
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {}, access);
  const path = `/v1/integrations/${made.result.account.id}/verify`;
  return async (secret: string, at = url) => {
    const credential = { type: 'token', secret };
    const provider_config = {
      type: 'ticketing_github',
      repository: 'acme/desk',
      url: at,
      credential,
    };
    const { status, message } = await service.call(
      'POST',
      path,
      { integration: { provider_config } },
      access,
    );
    return { status, message };
  };
}

describe('a host that fails for one organization', () => {
  it('is paused for that one, with the reason, and for nobody else', async () => {
    const [unlucky, lucky] = [await tenant('unlucky'), await tenant('lucky')];
    // Each call is made three times, and the first of the fourth is the tenth failure.
    for (let call = 0; call < 3; call += 1)
      expect((await unlucky('unlucky')).message).toContain('answers 500');
    await unlucky('unlucky');
    const before = requests;
    expect(await unlucky('unlucky')).toEqual({
      status: 503,
      message: expect.stringMatching(/paused.*it answered 500/),
    });
    expect(requests).toBe(before);
    expect(await lucky('lucky')).toEqual({ status: 200, message: '' });
  });
});

describe('a host that cannot be reached', () => {
  it('is named with the reason every time that a configuration is verified', async () => {
    const verify = await tenant('lost');
    const port = await freePort();
    for (let call = 0; call < 8; call += 1)
      expect((await verify('key', `http://127.0.0.1:${port}`)).message).toContain('ECONNREFUSED');
  });
});

describe('a secret that fits into no header', () => {
  it('is refused before the host is called, however often, and pauses nobody', async () => {
    const [careless, careful] = [await tenant('careless'), await tenant('careful')];
    const before = requests;
    for (let call = 0; call < 12; call += 1)
      expect(await careless('key\n')).toEqual({
        status: 400,
        message: expect.stringContaining('/provider_config/credential/secret'),
      });
    expect(requests).toBe(before);
    for (const verify of [careless, careful])
      expect(await verify('key')).toEqual({ status: 200, message: '' });
  });
});
