import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { mayBeCarriedOut } from './failures.js';
import { estimateParsed, ResponseMemory } from './limits/response-memory.js';
import { ProviderHttp } from './provider-http.js';
import { refusal, useTestProvider } from './provider-http.fixture.js';

const provider = useTestProvider();
const maxBytes = 40_000_000;
const limits = { maxBytes: 100_000_000 };
const megabyte = 1_000_000;

/** A list of so many bytes of usual records. */
function listOf(bytes: number): string {
  const record = JSON.stringify({ id: '1', name: 'A record', text: 'x'.repeat(400) });
  return `[${Array.from({ length: Math.ceil(bytes / record.length) }, () => record).join()}]`;
}

describe('the memory of responses', () => {
  it('is held until the call ends, and refuses what would not fit beside it with 503 and Retry-After', async () => {
    const memory = new ResponseMemory(maxBytes);
    const http = new ProviderHttp({ ...provider.parts(), memory });
    provider.handler = (_request, response) => response.end(listOf(6 * megabyte));
    const lease = memory.open();
    await http.send(provider.get(), provider.options({ ...limits, memory: lease }));
    const held = memory.heldBytes;
    expect(held).toBeGreaterThan(24 * megabyte);
    const error = await refusal(http.send(provider.get(), provider.options(limits)));
    expect([error.status, error.options.headers]).toEqual([503, { 'retry-after': '1' }]);
    expect(memory.heldBytes).toBe(held);
    expect(provider.count).toBe(2); // it is not repeated
    lease.release();
    expect(memory.heldBytes).toBe(0);
    await http.send(provider.get(), provider.options(limits));
    expect(memory.heldBytes).toBe(0);
  });

  it('refuses one that is too large for all of it with 502, while it arrives and before it is parsed', async () => {
    const memory = new ResponseMemory(maxBytes);
    const http = new ProviderHttp({ ...provider.parts(), memory });
    for (const text of [listOf(50 * megabyte), `[${'{},'.repeat(3 * megabyte)}{}]`]) {
      provider.handler = (_request, response) => response.end(text);
      const error = await refusal(http.send(provider.get(), provider.options(limits)));
      expect([error.status, error.message]).toEqual([502, expect.stringContaining('memory')]);
      expect(error.options.remediation).toContain('MAX_RESPONSES_BYTES');
      expect(memory.heldBytes).toBe(0);
    }
  });

  it('counts what compressed bodies become', async () => {
    const memory = new ResponseMemory(maxBytes);
    const http = new ProviderHttp({ ...provider.parts(), memory });
    const body = gzipSync(Buffer.alloc(60 * megabyte, 0x20));
    provider.handler = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    };
    const error = await refusal(http.send(provider.get(), provider.options(limits)));
    expect([error.status, error.message]).toEqual([502, expect.stringContaining('memory')]);
    expect(memory.heldBytes).toBe(0);
  });

  it('does not say that a write whose response did not fit was not carried out', async () => {
    const http = new ProviderHttp({ ...provider.parts(), memory: new ResponseMemory(megabyte) });
    provider.handler = (_request, response) => response.end(listOf(2 * megabyte));
    const request = provider.get({ method: 'POST', repeatable: false });
    const error = await refusal(http.send(request, provider.options(limits)));
    expect(mayBeCarriedOut(error)).toBe(true);
  });
});

describe('the estimate of parsed JSON', () => {
  it.each([
    ['empty objects', `[${'{},'.repeat(megabyte)}{}]`],
    ['empty lists', `[${'[],'.repeat(megabyte)}[]]`],
    ['nested lists', `[${'[[1]],'.repeat(megabyte / 2)}1]`],
    ['numbers', `[${'1,'.repeat(megabyte)}1]`],
    ['names that differ', `{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join()}}`],
    ['usual records', listOf(3 * megabyte)],
  ])('is not less than what V8 takes for %s', (_name, text) => {
    const bytes = Buffer.from(text);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    const kept: unknown[] = [JSON.parse(text)];
    const taken = used() - before;
    expect(kept.length).toBe(1);
    expect(estimateParsed(bytes)).toBeGreaterThan(taken * 0.95);
  });
});
