import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ResolvedIntegration } from '#bus';
import { systemClock } from '#config';
import {
  CallUsage,
  documentProvider,
  Problems,
  type Provider,
  type ProviderCall,
  Usage,
} from '#connect';
import { readFake } from '#fakes';
import { readProviders } from '#provider-document';
import { Redactor } from '#provider-http';
import { Mocks } from './index.js';
import { MockIntegrations, OpenMocks } from './mock-integrations.js';

const document = `
version: 1.0.0
vendor: Acme
providers:
  edr_acme: { fullname: Acme Response }
  assets_acme: { fullname: Acme Inventory }
configuration: { properties: { url: { type: string }, region: { type: string } }, required: [url] }
credentials:
  credential:
    o_auth_client: { send: client_credentials, token_url: this.config.url + "/oauth2/token" }
http: { base_url: this.config.url }
verify: [{ path: /devices, needs: reading devices }]
mappings:
  endpoint:
    engine: bloblang_direct
    version: '1.0'
    templates: { default: 'root = this.merge({"url": @config.url, "type": @config.type, "region": @config.region})' }
operations:
  edr_query_endpoints:
    response: endpoint
    steps: [{ name: devices, path: /devices }]
    rows: this.steps.devices
  assets_query_devices: { steps: [{ name: devices, path: /devices }], rows: this.steps.devices }
`;
const fake = `
fake: acme
mock: { configuration: { url: 'https://acme.example' }, principal: reader }
collections:
  devices: { from: this.world.devices, id: this.id, row: 'root = {"id": this.it.key}' }
auth:
  principals: { nobody: [], reader: ['devices:read'] }
  accepts: [{ kind: oauth, token: POST /oauth2/token, lifetime: 1800, refused: unauthenticated }]
errors:
  body: root.message = this.error.message
  unauthenticated: { status: 401, message: who are you }
  expired_token: { status: 401, message: expired }
  forbidden: { status: 403, message: forbidden }
  no_route: { status: 404, message: not found }
  no_method: { status: 405, message: wrong method }
  limited: { status: 429, message: slow down }
  failure: { status: 500, message: failed }
routes:
  GET /devices: { access: 'devices:read', list: { from: devices }, body: root = this.rows }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onefold-mocks-'));
  writeFileSync(join(folder, 'provider.yaml'), document);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing is written, so nothing is stored. */
const unused = {
  select: () => Promise.resolve([]),
  write: () => Promise.reject(new Error('unexpected')),
};

async function providers(text = fake, scale = 1): Promise<readonly Provider[]> {
  writeFileSync(join(folder, 'fake.yaml'), text);
  const place = pathToFileURL(`${folder}/`);
  return await new Mocks(unused, systemClock, scale).make(await readProviders(place), place);
}

function callOf(providerConfig: ResolvedIntegration['providerConfig'], id = 'int_1'): ProviderCall {
  const place = { organizationId: 'org_1', accountId: 'acc_1' };
  return {
    http: undefined as never,
    integration: {
      ...place,
      id,
      category: 'edr',
      providerType: 'edr_acme_mock',
      providerConfig,
      createdAt: '2026-11-01T10:20:30.000Z',
      credentials: {},
      chains: [],
      additionalMappings: [],
    },
    credential: () => undefined,
    redactor: new Redactor(),
    problems: new Problems(),
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
    pollUntil: Date.now() + 10_000,
    usage: new CallUsage(new Usage(), { ...place, integrationId: id }),
    onResponse: () => undefined,
    path: {},
    query: {},
    list: { filters: [], orders: [] },
    clock: systemClock,
  };
}

async function rowsOf(provider: Provider | undefined, call: ProviderCall, limit = 100) {
  const result = await provider?.operations.edr_query_endpoints?.run(call, {});
  if (result === undefined || !('pages' in result)) throw new Error('it gives no pages');
  return (await result.pages.read(undefined, limit)).rows;
}

describe('the mocks of a vendor', () => {
  it('are its providers, without address and credential', async () => {
    const made = await providers();
    expect(made.map(({ type, manifest }) => [type, manifest.fullname])).toEqual([
      ['edr_acme_mock', 'Acme Response (mock)'],
      ['assets_acme_mock', 'Acme Inventory (mock)'],
    ]);
    for (const one of made) {
      const { properties } = one.configuration as { properties: object };
      expect(Object.keys(properties)).toEqual(['type', 'dataset']);
      expect('addresses' in one).toBe(false);
    }
  });

  it('authenticate at the fake as its principal, also to be verified', async () => {
    const [edr] = await providers();
    await edr?.verify?.(callOf({ type: 'edr_acme_mock' }));
    expect(await rowsOf(edr, callOf({ type: 'edr_acme_mock' }))).toHaveLength(60);
    const [refused] = await providers(fake.replace('principal: reader', 'principal: nobody'));
    const call = callOf({ type: 'edr_acme_mock' });
    await expect(refused?.verify?.(call)).rejects.toThrow('does not permit this');
  });

  it('have credentials that the fake of another integration refuses', async () => {
    writeFileSync(join(folder, 'fake.yaml'), fake);
    const [compiled] = await readProviders(pathToFileURL(`${folder}/`));
    if (compiled === undefined) throw new Error('the document describes no provider');
    const parts = { store: unused, clock: systemClock, scale: 1, opened: new OpenMocks() };
    const integrations = new MockIntegrations(compiled, readFake(fake), parts);
    const call = callOf({ type: 'edr_acme', url: 'https://acme.example' });
    const verify = async (of: string, at: string) => {
      const open = (id: string) => integrations.open(callOf({}, id).integration);
      const { http } = open(at);
      const { credentials } = open(of);
      const credential = (slot: string) => credentials.get(slot);
      await documentProvider(compiled).verify?.({ ...call, http, credential });
    };
    await verify('int_1', 'int_1');
    await expect(verify('int_2', 'int_1')).rejects.toThrow('gives no access token');
  });

  it('have nothing with the empty dataset', async () => {
    const [edr] = await providers();
    const empty = callOf({ type: 'edr_acme_mock', dataset: 'empty_v0' });
    expect(await rowsOf(edr, empty)).toEqual([]);
  });

  it('have the company as many times as WORLD_SCALE says, the basic one first', async () => {
    const call = callOf({ type: 'edr_acme_mock' });
    const [[one], [three]] = [await providers(), await providers(fake, 3)];
    const rows = await rowsOf(three, call, 200);
    expect(rows).toHaveLength(180);
    expect(rows.slice(0, 60)).toEqual(await rowsOf(one, call));
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(180);
  });

  it('map with the configuration of the fake, which the integration can change', async () => {
    const [edr] = await providers();
    const config = { type: 'edr_acme_mock', dataset: 'basic_v0', region: 'eu' };
    expect(
      edr?.operations.edr_query_endpoints?.response?.({ id: '1' }, { config, path: {} }),
    ).toEqual({
      id: '1',
      url: 'https://acme.example',
      type: 'edr_acme',
      region: 'eu',
    });
  });

  it('cannot be called when the fake accepts no credential that they send', async () => {
    const basic = 'accepts: [{ kind: basic }]';
    const [edr] = await providers(fake.replace(/accepts: .*/, basic));
    await expect(rowsOf(edr, callOf({ type: 'edr_acme_mock' }))).rejects.toThrow(
      'the fake acme has no o_auth_client for credential of edr_acme',
    );
  });

  it('name the file and the place of what is wrong with the fake', async () => {
    await expect(providers(fake.replace('principal: reader', 'principal: admin'))).rejects.toThrow(
      /fake\.yaml: .*line 3.*there is no principal "admin"/s,
    );
  });
});

describe('the open integrations of a process', () => {
  it('are closed when they take too much memory, the least recently used first', () => {
    const opened = new OpenMocks();
    const mockOf = (bytes: number) => {
      const mock = { http: undefined as never, credentials: new Map(), bytes };
      return { ...mock, changedBytes: () => mock.bytes, grow: () => (mock.bytes = 25_000_000) };
    };
    const [first, second, third] = [mockOf(1_000), mockOf(1_000), mockOf(1_000)];
    opened.keep('first', first);
    opened.keep('second', second);
    opened.keep('third', third);
    expect(opened.size).toBe(3);
    first.grow();
    expect(opened.find('first')).toBe(first);
    third.grow();
    expect(opened.find('third')).toBe(third);
    expect(opened.find('first')).toBeUndefined();
    expect(opened.find('second')).toBeUndefined();
  });
});
