import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selfSigned } from './identity-providers/certificate.js';
import { type Answer, type Service, startService } from './service.js';

let service: Service;
let certificate: string;
beforeAll(async () => {
  service = await startService();
  certificate = selfSigned().certificate;
});
afterAll(() => service.stop());

const path = '/v1/auth/sso';
const oidc = (more: object = {}) => ({
  type: 'oidc',
  issuer_url: 'https://id.example.com/tenant',
  client_id: 'onefold',
  client_secret: 'sso-canary-secret',
  ...more,
});
const saml = (more: object = {}) => ({
  type: 'saml',
  idp_entity_id: 'https://idp.example.com/entity',
  idp_sso_url: 'https://idp.example.com/sso',
  idp_certificate: certificate,
  sp_entity_id: 'urn:onefold:sp',
  ...more,
});
const create = (config: object, fullname = 'Our Identity') =>
  service.call('POST', path, { fullname, config });
const update = (id: string, body: object) => service.call('PUT', `${path}/${id}`, body);
const idOf = ({ result }: Answer): string => String(result['id']);

describe('single sign-on configurations', () => {
  it('"returns the created resource with its SSO configuration id": without secret and certificate', async () => {
    const first = await create(oidc());
    expect(first).toMatchObject({
      status: 200,
      result: {
        id: expect.stringMatching(/^sso_/),
        fullname: 'Our Identity',
        identity_provider: {
          type: 'oidc',
          issuer_url: 'https://id.example.com/tenant',
          client_id: 'onefold',
        },
      },
    });
    const second = await create(saml());
    expect(second.result).toMatchObject({
      identity_provider: {
        type: 'saml',
        idp_entity_id: 'https://idp.example.com/entity',
        sp_entity_id: 'urn:onefold:sp',
        name_id_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      },
    });
    const list = await service.call('GET', path);
    expect(list.result).toEqual(expect.arrayContaining([first.result, second.result]));
    const audited = await service.call('GET', '/v1/audit/organizations?order=created_at[desc]');
    expect(JSON.stringify(audited)).toContain('id.example.com/tenant');
    const shown = JSON.stringify([first, second, list, audited]);
    expect(shown).not.toContain('sso-canary-secret');
    expect(JSON.stringify([first, second, list])).not.toContain('CERTIFICATE');
  });

  it('"Full replacement; `updated_at` is used for optimistic locking": refuses what was changed since', async () => {
    const created = await create(oidc());
    const id = idOf(created);
    const body = { fullname: 'Renamed', config: oidc(), updated_at: created.result['updated_at'] };
    const changed = await update(id, body);
    expect(changed).toMatchObject({ status: 200, result: { fullname: 'Renamed' } });
    expect(await update(id, { ...body, fullname: 'Late' })).toMatchObject({ status: 409 });
    expect((await service.call('GET', `${path}/${id}`)).result).toEqual(changed.result);
    const again = { ...body, updated_at: changed.result['updated_at'] };
    expect(await update(id, again)).toMatchObject({ status: 200 });
  });

  // "A9 public list of an organization's SSO configurations (id and name, opt-in)"
  it('are listed for a logon page if the organization wants that, and by id and name alone', async () => {
    const { organizationId } = service.administrator;
    const logonPage = async (organization: string) =>
      await service.call('GET', `/v1/auth/logon/${organization}/sso`, undefined, '');
    const hidden = await create(oidc(), 'Hidden');
    expect(hidden.result).toMatchObject({ listed: false });
    expect(await logonPage(organizationId)).toMatchObject({ status: 200, result: [] });
    const shown = await service.call('POST', path, {
      fullname: 'Shown to all',
      config: saml(),
      listed: true,
    });
    const { id, name } = shown.result;
    const offer = [{ id, name, fullname: 'Shown to all' }];
    expect((await logonPage(organizationId)).result).toEqual(offer);
    // An update that does not say anything about it keeps it.
    await update(idOf(shown), { fullname: 'Shown to all', config: saml() });
    expect((await logonPage(organizationId)).result).toEqual(offer);
    const other = await service.organization('no-sso');
    expect((await logonPage(other.organizationId)).result).toEqual([]);
    expect(await logonPage('org_unknown')).toMatchObject({ status: 200, result: [] });
    await update(idOf(shown), { fullname: 'Shown to all', config: saml(), listed: false });
    expect((await logonPage(organizationId)).result).toEqual([]);
    // Strangers do not fill the trail: one record stands for many looks.
    const filter = encodeURIComponent(`path[eq]/v1/auth/logon/${organizationId}/sso`);
    const records = await service.call('GET', `/v1/audit/organizations?filter=${filter}`);
    expect(records.result).toMatchObject([{ code: '200', request_id: expect.any(String) }]);
  });

  it('lets one of many concurrent updates of the same state through', async () => {
    const created = await create(oidc());
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        update(idOf(created), {
          fullname: `Number ${index}`,
          config: oidc(),
          updated_at: created.result['updated_at'],
        }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it('keeps the secret and the certificate when an update leaves them out, and misses them where there are none', async () => {
    const id = idOf(await create(oidc()));
    const { client_secret: _none, ...without } = oidc({ client_id: 'other' });
    expect(await update(id, { fullname: 'x', config: without })).toMatchObject({
      status: 200,
      result: { identity_provider: { client_id: 'other' } },
    });
    const { idp_certificate: _no, ...bare } = saml();
    const refused = await update(id, { fullname: 'x', config: bare });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.message).toContain('/config/idp_certificate');
    expect(await update(id, { fullname: 'x', config: saml() })).toMatchObject({ status: 200 });
    expect(await update(id, { fullname: 'x', config: bare })).toMatchObject({ status: 200 });
    const back = await update(id, { fullname: 'x', config: without });
    expect(back.message).toContain('/config/client_secret');
  });

  it.each([
    ['/config/issuer_url', () => oidc({ issuer_url: 'id.example.com' })],
    ['/config/issuer_url', () => oidc({ issuer_url: 'http://id.example.com' })],
    ['/config/issuer_url', () => oidc({ issuer_url: 'https://user:pw@id.example.com' })],
    ['/config/issuer_url', () => oidc({ issuer_url: 'https://id.example.com/?x=1' })],
    ['/config/issuer_url', () => oidc({ issuer_url: 'https://169.254.169.254/' })],
    ['/config/issuer_url', () => oidc({ issuer_url: 'https://10.0.0.1/' })],
    ['/config/client_id', () => oidc({ client_id: ' ' })],
    ['/config/client_secret', () => oidc({ client_secret: '' })],
    ['/config/idp_sso_url', () => saml({ idp_sso_url: 'javascript:alert(1)' })],
    ['/config/idp_entity_id', () => saml({ idp_entity_id: 'x'.repeat(1_025) })],
    ['/config/idp_certificate', () => saml({ idp_certificate: 'bm90IGEgY2VydGlmaWNhdGU=' })],
    ['/config/idp_certificate', () => saml({ idp_certificate: selfSigned(1_024).certificate })],
    ['/config/idp_metadata_url', () => saml({ idp_metadata_url: 'https://[::1]/m' })],
    ['/config/name_id_format', () => saml({ name_id_format: 'urn:x' })],
  ])('names %s when it is wrong', async (place, config) => {
    const { status, message } = await create(config());
    expect({ status, message }).toEqual({
      status: 400,
      message: expect.stringContaining(place),
    });
  });

  it('shows the metadata URL of a SAML provider, so that who sends back what was read keeps it', async () => {
    const url = 'https://idp.example.com/metadata';
    const id = idOf(await create(saml({ idp_metadata_url: url })));
    const { result } = await service.call('GET', `${path}/${id}`);
    const { identity_provider: config, updated_at } = result;
    const changed = await update(id, { fullname: 'x', config, updated_at });
    expect(changed).toMatchObject({
      status: 200,
      result: { identity_provider: { idp_metadata_url: url } },
    });
    const without = await update(id, { fullname: 'x', config: saml() });
    expect(without.result).toMatchObject({ identity_provider: { idp_metadata_url: null } });
  });

  it('takes a certificate as bare base64, as it stands in metadata, and several one after the other', async () => {
    const bare = certificate.replaceAll(/-----[^-]+-----|\s/g, '');
    expect(await create(saml({ idp_certificate: bare }))).toMatchObject({ status: 200 });
    const two = `${certificate}\n${selfSigned().certificate}`;
    expect(await create(saml({ idp_certificate: two }))).toMatchObject({ status: 200 });
  });

  it('is deleted, and is then unknown', async () => {
    const id = idOf(await create(oidc()));
    expect(await service.call('DELETE', `${path}/${id}`)).toMatchObject({ status: 204 });
    for (const method of ['GET', 'DELETE'])
      expect(await service.call(method, `${path}/${id}`)).toMatchObject({ status: 404 });
    const gone = await update(id, { fullname: 'x', config: oidc() });
    expect(gone).toMatchObject({ status: 404 });
  });

  it('are those of the own organization', async () => {
    const other = await service.organization('sso-other');
    const id = idOf(await create(oidc()));
    const theirs = await service.call('GET', `${path}/${id}`, undefined, other.access);
    expect(theirs).toMatchObject({ status: 404 });
    expect((await service.call('GET', path, undefined, other.access)).result).toEqual([]);
  });

  it('"Returns values needed to configure an identity provider": addresses of the organization', async () => {
    const { result } = await service.call('GET', '/v1/auth/meta');
    const base = `${service.url}/sso/${service.administrator.organizationId}`;
    expect(result).toEqual({
      oidc: { redirect_uri: `${base}/oidc/callback` },
      saml: {
        acs_url: `${base}/saml/acs`,
        sp_entity_id: `${base}/saml/metadata`,
        supported_name_id_formats: expect.arrayContaining([
          'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
        ]),
      },
    });
  });
});
