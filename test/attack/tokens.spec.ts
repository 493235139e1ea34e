import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mintToken } from '#secrets';
import { type Service, startService } from '../api/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function get(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${service.url}/v1/accounts?limit=1`, { headers });
  await response.arrayBuffer();
  return response.status;
}

it('wrong tokens lock out no valid one of the same address', async () => {
  const used = service.administrator.access;
  expect(await get(used)).toBe(200);
  const fresh = await service.administratorToken();
  for (let count = 0; count < 60; count += 1) expect(await get(mintToken('ofo_'))).toBe(401);
  expect(await get(used)).toBe(200);
  expect(await get(fresh.access)).toBe(200);
});

it('texts that are no tokens lock out none either', async () => {
  const fresh = await service.administratorToken();
  for (let count = 0; count < 60; count += 1) expect(await get(`nonsense-${count}`)).toBe(401);
  expect(await get(fresh.access)).toBe(200);
});

it('a flood of wrong tokens lets those pass that were used before', async () => {
  const used = service.administrator.access;
  let isOver = false;
  const flood = Promise.all(
    Array.from({ length: 40 }, async () => {
      const statuses = new Set<number>();
      while (!isOver) statuses.add(await get(mintToken('ofo_')));
      return statuses;
    }),
  );
  const statuses = [];
  for (let count = 0; count < 50; count += 1) statuses.push(await get(used));
  isOver = true;
  expect(new Set(statuses)).toEqual(new Set([200]));
  for (const seen of await flood) for (const status of seen) expect([401, 429]).toContain(status);
});
