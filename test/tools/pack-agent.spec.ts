import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { AgentLink, type AgentFacts, type SecretUse } from '#bridge';
import { startProgram } from '../e2e/processes.js';
import { installPacked, runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

describe('the package of the bridge agent, in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-agent-test-'));
  const servers: Server[] = [];
  let tarball = '';

  beforeAll(async () => {
    const packed = await runProgram(root, process.execPath, [
      join(root, 'tools/pack-agent.mjs'),
      '--built',
      '--to',
      folder,
    ]);
    tarball = packed.output.trim().split('\n').at(-1) ?? '';
    expect(tarball).toBe(join(folder, `onefold-bridge-agent-${version}.tgz`));
    expect(await installPacked(folder, [tarball])).toMatchObject({ code: 0 });
  });
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(listener?: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it('has one program, and what is said about it', async () => {
    const { output } = await runProgram(folder, 'tar', ['-tzf', tarball]);
    expect(output.trim().split('\n').sort()).toEqual(
      ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES', 'bridge-agent.js', 'package.json'].map(
        (name) => `package/${name}`,
      ),
    );
    const own = join(folder, 'node_modules/onefold-bridge-agent');
    const licenses = readFileSync(join(own, 'THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of ['undici', 'ws', 'yaml', 'ajv', 'aws4fetch'])
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('is run by npx from its file, and says what it needs', async () => {
    // npx takes a file with an absolute path for the program itself.
    const file = `./${basename(tarball)}`;
    const { code, output } = await runProgram(folder, 'npx', ['--offline', '--yes', file]);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('Give the file of the configuration, such as bridge-agent.yaml.'),
    ]);
  });

  it('names what is wrong with its file by line and column', async () => {
    writeFileSync(join(folder, 'wrong.yaml'), 'server: https://a.example\nkeyfile: a\nallow: []\n');
    const program = join(folder, 'node_modules/.bin/onefold-bridge-agent');
    const { code, output } = await runProgram(folder, program, ['wrong.yaml']);
    expect(code).toBe(1);
    expect(output).toMatch(/wrong\.yaml:\n.*line 2, column 1.*unknown key "keyfile"/);
  });

  it('connects as the version that it is, and executes a request with an access token', async () => {
    const { url: host } = await serve((incoming, response) => {
      response.setHeader('content-type', 'application/json');
      if (incoming.url === '/token')
        response.end(JSON.stringify({ access_token: 'canary-token', token_type: 'bearer' }));
      else response.end(String(incoming.headers.authorization === 'Bearer canary-token'));
    });
    const { server, url } = await serve();
    const admitted = new Promise<{ link: AgentLink; facts: AgentFacts }>((resolve) =>
      new WebSocketServer({ server }).once('connection', (socket) => {
        const link = new AgentLink(socket);
        link.onMessage(({ type, facts }) => {
          if (type !== 'hello') return;
          link.tell({ type: 'admitted' });
          resolve({ link, facts: facts as AgentFacts });
        });
        link.tell({ type: 'challenge', nonce: 'nonce' });
      }),
    );
    const fields = { client_id: { value: 'id' }, client_secret: { value: 'canary-secret' } };
    const settings = {
      server: url,
      key_file: 'agent.key',
      allow: [{ origin: host, methods: ['GET', 'POST'] }],
      secrets: [{ name: 'one', origins: [host], fields }],
    };
    writeFileSync(join(folder, 'bridge-agent.yaml'), JSON.stringify(settings));
    const program = join(folder, 'node_modules/.bin/onefold-bridge-agent');
    const agent = startProgram(program, [join(folder, 'bridge-agent.yaml')], {
      BRIDGE_CREDENTIAL: 'a.b.c',
    });
    try {
      const { link, facts } = await admitted;
      expect(facts).toMatchObject({ version, vault: { one: host } });
      const use: SecretUse = {
        send: 'client_credentials',
        secret: 'one',
        token_url: `${host}/token`,
        scope: '',
        parameters: [],
        client: 'body',
      };
      const { status, body } = await link.send(
        {
          method: 'GET',
          url: `${host}/a`,
          headers: {},
          hasBody: false,
          timeoutMs: 20_000,
          secrets: [use],
        },
        undefined,
        new AbortController().signal,
      );
      let text = '';
      for await (const chunk of body) text += Buffer.from(chunk).toString();
      expect([status, text]).toEqual([200, 'true']);
    } finally {
      expect((await agent.stop()).code).toBe(0);
    }
  });
});
