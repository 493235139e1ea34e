import { describe, expect, it } from '@jest/globals';
import { CustomProviders } from './custom-providers.js';

const document = (id: string, version = '1') => ({
  ...{ id, version },
  data: `provider: custom_${id}
version: 1.0.0
fullname: ${id} ${version}
vendor: Specs
credentials: { credential: { token: { send: header, name: authorization, value: this.credential.secret } } }
http: { base_url: this.config.url, origins: ['https://example.com'] }
operations: { custom_get: { steps: [{ name: one, path: /one }], record: this.steps.one } }
`,
});

describe('documents of customers', () => {
  it('are compiled once for each version', () => {
    const providers = new CustomProviders();
    const first = providers.get(document('a'));
    expect(providers.get(document('a'))).toBe(first);
    expect(providers.get(document('a', '2')).manifest.fullname).toBe('a 2');
    expect(providers.get(document('a'))).toBe(first);
  });

  it('are kept as long as they are among the last two hundred that were used', () => {
    const providers = new CustomProviders();
    const [used, unused] = [providers.get(document('used')), providers.get(document('unused'))];
    for (let index = 0; index < 199; index += 1) {
      providers.get(document(`d${index}`));
      providers.get(document('used'));
    }
    expect(providers.get(document('used'))).toBe(used);
    expect(providers.get(document('unused'))).not.toBe(unused);
  });

  it('that are not right any more are refused by name', () => {
    const broken = { ...document('a'), data: 'provider: custom_a' };
    expect(() => new CustomProviders().get(broken)).toThrow('the custom provider a is wrong');
  });
});
