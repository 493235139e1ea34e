import { describe, expect, it } from '@jest/globals';
import { credentialFaults } from './credential-faults.js';

const at = (config: { type: string } & Record<string, unknown>) =>
  credentialFaults(config, '/config').map(({ pointer }) => pointer);

describe('a credential that no provider could be called with', () => {
  it.each([
    [{ type: 'token', secret: 'key\n' }, ['/config/secret']],
    [{ type: 'token', secret: 'key\r\nx: y' }, ['/config/secret']],
    [{ type: 'token', secret: 'ключ' }, ['/config/secret']],
    [
      { type: 'basic', username: 'a\tb', secret: 'p\u0000' },
      ['/config/username', '/config/secret'],
    ],
    [{ type: 'secret', secret: 'key\n' }, ['/config/secret']],
    [{ type: 'secret', secret: 'key\u0001' }, ['/config/secret']],
    [
      { type: 'aws', access_key_id: 'AKIA', secret_access_key: 'x\n' },
      ['/config/secret_access_key'],
    ],
    [
      {
        type: 'o_auth_client',
        token_url: 'file:///etc/passwd',
        client_id: 'a',
        client_secret: 'b',
      },
      ['/config/token_url'],
    ],
  ])('%j is refused at %j, without repeating a secret', (config, pointers) => {
    expect(at(config)).toEqual(pointers);
    for (const { value } of credentialFaults(config, ''))
      if (value !== undefined) expect(value).toBe('file:///etc/passwd');
  });

  it.each([
    { type: 'token', secret: 'schlüssel' },
    { type: 'basic', username: 'анна', secret: 'пароль ✓' },
    { type: 'secret', secret: '-----BEGIN KEY-----\nabc\n-----END KEY-----' },
    { type: 'tls_certificate', certificate: 'a\nb\n', private_key: 'c\nd\n' },
    { type: 'o_auth_client', token_url: null, client_id: 'a', client_secret: 'ä✓' },
  ])('%j is taken', (config) => {
    expect(at(config)).toEqual([]);
  });
});
