import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { FakeEngine, MemoryStorage, readFake } from './index.js';

const page = readFileSync(new URL('../../../../docs/fakes.md', import.meta.url), 'utf8');

it('the example of the documentation works', async () => {
  const [, source = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const start = new Date('2026-11-22T00:00:00Z');
  let now = start.getTime();
  const fake = new FakeEngine(readFake(source), {
    storage: new MemoryStorage(),
    clock: () => now,
    start,
    dataset: 'BASIC',
    key: 'docs',
  });
  const call = async (method: string, path: string, headers: Record<string, string>, body = '') => {
    const url = `https://api.acme.test${path}`;
    const answer = await fake.handle({ method, url, headers, body: Buffer.from(body) });
    return { ...answer, body: JSON.parse(Buffer.from(answer.body).toString()) as never };
  };
  const [{ client = { id: '', secret: '' } } = {}] = fake.credentials();
  const form = `grant_type=client_credentials&client_id=${client.id}&client_secret=${client.secret}`;
  const { body: token } = await call('POST', '/oauth2/token', {}, form);
  const headers = {
    authorization: `Bearer ${(token as { access_token: string }).access_token}`,
    'content-type': 'application/json',
  };
  const first = await call('GET', '/devices?limit=1', headers);
  expect(first.headers['link']).toContain('limit=1&after=');
  const { resources } = first.body as { resources: { device_id: string }[] };
  const ids = [resources[0]?.device_id, 'nobody'];
  const contained = await call(
    'POST',
    '/devices/actions/contain',
    headers,
    JSON.stringify({ ids }),
  );
  expect(contained.body).toEqual({
    resources: [
      { id: ids[0], outcome: 'changed' },
      { id: 'nobody', outcome: 'missing' },
    ],
  });
  now += 5_000;
  const after = await call('GET', "/devices?filter=state:'contained'", headers);
  expect(after.body).toMatchObject({ total: 1 });
  expect(fake.log.violations).toEqual([]);
});
