import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KeyPair, TestAuthority } from '#test/harness';
import { credentialFaults as findFaults } from './credential-faults.js';

const credentialFaults = (config: { type: string } & Record<string, unknown>, pointer: string) =>
  findFaults(config, pointer, { awsRoles: true, owner: 'acc_4711' });

const at = (config: { type: string } & Record<string, unknown>) =>
  credentialFaults(config, '/config').map(({ pointer }) => pointer);

describe('a credential that cannot be sent to a provider', () => {
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
    { type: 'o_auth_client', token_url: null, client_id: 'a', client_secret: 'ä✓' },
  ])('%j is valid', (config) => {
    expect(at(config)).toEqual([]);
  });
});

describe('a client certificate', () => {
  let authority: TestAuthority;
  let pair: KeyPair;
  let other: KeyPair;
  let expired: KeyPair;
  beforeAll(() => {
    authority = new TestAuthority();
    [pair, other, expired] = [
      authority.issue('ours'),
      authority.issue('other'),
      authority.issue('old', 0),
    ];
  });
  afterAll(() => authority.remove());
  const faultsOf = (config: object) =>
    credentialFaults({ type: 'tls_certificate', ...config }, '/config').map(
      ({ pointer, message }) => `${pointer} ${message}`,
    );

  it('is taken with its key, and with those between it and its authority', () => {
    const { certificate, key } = pair;
    expect(faultsOf({ certificate, private_key: key })).toEqual([]);
    const chain = `${certificate}${authority.certificate}`;
    const whole = { certificate: chain, private_key: key, certificate_authority: null };
    expect(faultsOf(whole)).toEqual([]);
    expect(faultsOf({ ...whole, certificate_authority: authority.certificate })).toEqual([]);
  });

  it('is refused at the field that is wrong', () => {
    const { certificate, key } = pair;
    expect(faultsOf({ certificate: 'abc', private_key: key })).toEqual([
      '/config/certificate is not a valid PEM certificate',
    ]);
    const flat = certificate.replace(/\n/g, ' ');
    expect(faultsOf({ certificate: flat, private_key: key })).toEqual([
      '/config/certificate is not a valid PEM certificate',
    ]);
    expect(
      faultsOf({
        certificate: `${certificate}${certificate.replace('MII', 'MIX')}`,
        private_key: key,
      }),
    ).toEqual(['/config/certificate is not a valid PEM certificate']);
    expect(faultsOf({ certificate, private_key: 'abc' })).toEqual([
      '/config/private_key is not a valid PEM private key, or is encrypted',
    ]);
    expect(faultsOf({ certificate, private_key: other.key })).toEqual([
      '/config/private_key does not match the certificate',
    ]);
    expect(faultsOf({ certificate, private_key: key, certificate_authority: 'authority' })).toEqual(
      ['/config/certificate_authority is not a valid PEM certificate'],
    );
    expect(faultsOf({ certificate: expired.certificate, private_key: expired.key })[0]).toMatch(
      /^\/config\/certificate expired at /,
    );
  });
});

describe('a role to assume', () => {
  const role = { type: 'aws_role', role_arn: 'arn:aws:iam::123456789012:role/team/onefold' };

  const own = { external_id: 'acc_4711' };

  it('is taken within the rules of AWS', () => {
    expect(at({ ...role, ...own })).toEqual([]);
    expect(at({ ...role, ...own, role_session_name: 'onefold', duration: 900 })).toEqual([]);
    const absent = { external_id: 'acc_4711:a1', role_session_name: null, duration: null };
    expect(at({ ...role, role_arn: 'arn:aws-us-gov:iam::123456789012:role/a', ...absent })).toEqual(
      [],
    );
    // A path has any printable character (API_CreateRole).
    const inPath = `arn:aws:iam::123456789012:role/a:b!/${'x'.repeat(64)}`;
    expect(at({ ...role, ...own, role_arn: inPath })).toEqual([]);
  });

  it.each([
    ['role_arn', 'arn:aws:iam::123456789012:user/onefold'],
    ['role_arn', 'arn:aws:iam::4711:role/onefold'],
    ['role_arn', `arn:aws:iam::123456789012:role/${'x'.repeat(65)}`],
    ['role_arn', 'onefold\n'],
    ['external_id', 'x'],
    ['external_id', 'acc_4711 b'],
    ['external_id', ''],
    ['role_session_name', 'one fold'],
    ['duration', 899],
    ['duration', 43_201],
  ])('is refused at %s: %j', (name, value) => {
    expect(at({ ...role, ...own, [name]: value })).toEqual([`/config/${name}`]);
  });

  it.each(['a1', 'acc_4712', 'acc_47110', 'acc_4711x:a1'])(
    'is refused with the external id %s, which another account may have',
    (external_id) => {
      const [fault] = credentialFaults({ ...role, external_id }, '/config');
      expect(fault).toMatchObject({
        pointer: '/config/external_id',
        message: 'must begin with the id of its account',
        remediation: expect.stringContaining('acc_4711:'),
      });
    },
  );

  it('is refused as a whole where the operator has not switched roles on', () => {
    const off = { awsRoles: false, owner: 'acc_4711' };
    expect(findFaults({ ...role, ...own }, '/config', off)).toEqual([
      {
        location: 'body',
        pointer: '/config/type',
        message: 'is not allowed: this installation cannot assume AWS roles',
        remediation: expect.stringContaining('AWS_ROLES'),
      },
    ]);
  });
});
