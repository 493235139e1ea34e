import { describe, expect, it } from '@jest/globals';
import { json, refusal, useTestProvider } from './provider-http.fixture.js';

const provider = useTestProvider();

describe('a call of a provider whose host has failed', () => {
  it('is refused for a while after ten failures in a row of its host, with the last of them', async () => {
    provider.handler = (_request, response) => json(response, 500, {});
    const once = provider.options({ retry: { attempts: 1, statuses: [], resets: [] } });
    for (let failed = 0; failed < 10; failed += 1)
      await refusal(provider.http.send(provider.get(), once));
    const error = await refusal(provider.http.send(provider.get(), once));
    expect([error.status, provider.count]).toEqual([503, 10]);
    expect(error.message).toMatch(/paused.*it answered 500/);
    const other = { ...once, place: { organizationId: 'org_2', key: 'crd_2' } };
    expect((await refusal(provider.http.send(provider.get(), other))).message).toContain(
      'Things answers 500',
    );
  });

  it('is not refused for limits that a host tells with a status of failures', async () => {
    provider.handler = (_request, response) =>
      json(response, 503, { __type: 'ThrottlingException' });
    const limited = provider.options({
      retry: { attempts: 1, statuses: [], resets: [] },
      interpret: () => ({ status: 429 }),
    });
    for (let count = 0; count < 12; count += 1)
      expect((await refusal(provider.http.send(provider.get(), limited))).status).toBe(429);
    expect(provider.count).toBe(12);
  });

  it('whose own retry meets the pause that it caused says how the host failed', async () => {
    provider.handler = (_request, response) => json(response, 503, { why: 'tired' });
    for (let call = 0; call < 4; call += 1) {
      const error = await refusal(provider.http.send(provider.get(), provider.options()));
      expect([error.status, error.message]).toEqual([503, 'Things is not available']);
    }
    expect(provider.count).toBe(10);
    expect((await refusal(provider.http.send(provider.get(), provider.options()))).message).toMatch(
      /paused.*it answered 503/,
    );
  });
});
