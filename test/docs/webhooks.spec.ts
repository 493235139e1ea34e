import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signDelivery } from '#deliver';
import { Secret } from '#secrets';

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const secret = 'the secret of the page';
const folder = mkdtempSync(join(tmpdir(), 'onefold-receiver-'));
let output = '';
let url = '';
let receiver: ReturnType<typeof spawn>;

beforeAll(async () => {
  const [, source = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, source);
  receiver = spawn(process.execPath, [file], { env: { WEBHOOK_SECRET: secret, PORT: '0' } });
  const said = (text: unknown) => (output += String(text));
  receiver.stdout?.on('data', said);
  receiver.stderr?.on('data', said);
  while (!/listening on (\d+)/.test(output)) await once(receiver.stdout ?? receiver, 'data');
  url = `http://127.0.0.1:${/listening on (\d+)/.exec(output)?.[1]}/`;
});
afterAll(async () => {
  receiver.kill();
  await once(receiver, 'exit');
  rmSync(folder, { recursive: true });
});

const body = JSON.stringify({ event: 'account_create', nonce: 'n', account: { name: 'acme' } });
const send = async (id: string, { at = Date.now(), sent = body } = {}) => {
  const headers = signDelivery({ id, body, at }, new Secret(secret));
  return (await fetch(url, { method: 'POST', headers, body: sent })).status;
};

describe('the receiver of the page', () => {
  it('accepts a delivery, and acts once when it is repeated', async () => {
    expect(await send('dlv_1')).toBe(204);
    expect(await send('dlv_1')).toBe(204);
    expect(await send('dlv_2')).toBe(204);
    while (!output.includes('dlv_2')) await once(receiver.stdout ?? receiver, 'data');
    expect(output.match(/dlv_1 account_create acme/g)).toHaveLength(1);
  });

  it('refuses another body, an old request and one without a signature', async () => {
    expect(await send('dlv_3', { sent: body.replace('acme', 'evil') })).toBe(401);
    expect(await send('dlv_3', { at: Date.now() - 600_000 })).toBe(401);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
  });
});
