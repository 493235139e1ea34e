import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type OperationId, operationOf, operations, recordFields } from '#contract';
import { type ManifestSource, strongestProof } from '#provider-document';
import { type Service, startService } from './service.js';

interface Declared {
  needs?: string;
  fields?: Record<string, { sortable?: boolean; values?: string[] }>;
  required_fields?: string[];
}
interface Document {
  provider?: string;
  fullname: string;
  vendor: string;
  configuration?: { properties: object };
  proof?: ManifestSource['proof'];
  setup?: { steps: string[]; link?: string };
  verify?: { needs: string }[];
  credentials: Record<string, Record<string, unknown>>;
  operations: Record<string, Declared>;
}
interface Described {
  id: string;
  supported: boolean;
  needs?: string;
  filters?: { name: string; values?: string[] }[];
  orders?: { name: string }[];
  supported_response_fields?: string[];
}
interface Capabilities {
  fullname: string;
  vendor: string;
  proof?: string;
  setup?: { steps: string[]; link?: string; permissions: string[] };
  operations: Described[];
  provider_config: { properties: Record<string, { properties?: object }> };
}

const custom = `
provider: custom_several
version: 1.0.0
fullname: Several
vendor: Tests
configuration: { properties: { url: { type: string } } }
credentials: { credential: { token: { send: header, name: x-key, value: this.credential.secret } } }
http: { base_url: this.config.url }
operations:
  custom_get:
    steps: [{ path: '/things/{this.path.id}' }]
    record: this.steps.call
  siem_query_events:
    needs: Read events
    fields: { id: { type: string }, severity: { type: enum, values: [LOW, HIGH], sortable: false } }
    steps: [{ path: /events }]
    rows: this.steps.call
`;
const folders = new URL('../../../libs/providers/', import.meta.url);
/** Reads a document with the operations of the files that it includes. */
function readDocument(name: string): Document {
  const place = new URL(name, folders);
  const read = (url: URL) => parse(readFileSync(url, 'utf8')) as Document & { include?: string[] };
  const document = read(place);
  const included = (document.include ?? []).map((file) => read(new URL(file, place)).operations);
  return { ...document, operations: Object.assign({}, document.operations, ...included) as never };
}

const documents = [
  ...readdirSync(folders, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[^/]+\/provider\.yaml$/.test(name))
    .map(readDocument),
  parse(custom) as Document,
]
  // Those that describe several providers have the operations of each in one list.
  .filter(({ provider }) => provider !== undefined)
  .map((document) => [document.provider ?? '', document] as const);

describe('the description of a provider', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    const { status } = await service.call('POST', '/v1/customs', { data: custom });
    expect(status).toBe(200);
  });
  afterAll(() => service.stop());

  it.each(documents)('says of %s what its document says', async (id, document) => {
    const answer = await service.call(
      'GET',
      `/v1/capabilities/providers/${id}?expand=operations&expand=provider_config`,
    );
    expect(answer.status).toBe(200);
    const described = answer.result as unknown as Capabilities;
    expect(described).toMatchObject({ fullname: document.fullname, vendor: document.vendor });
    expect(described.proof).toBe(document.proof && strongestProof(document.proof));
    const needed = [...Object.values(document.operations), ...(document.verify ?? [])];
    const permissions = needed.flatMap((one) => one.needs ?? []);
    expect(
      described.setup && { ...described.setup, permissions: described.setup.permissions.sort() },
    ).toEqual(
      document.setup && { ...document.setup, permissions: [...new Set(permissions)].sort() },
    );
    const supported = described.operations.filter((one) => one.supported);
    expect(supported.map((one) => one.id).sort()).toEqual(Object.keys(document.operations).sort());
    const [domain] = id.split('_');
    const all = [...operations.values()].filter(
      ({ side, group }) => side === 'connector' && group === domain,
    );
    expect(described.operations.map((one) => one.id)).toEqual(
      expect.arrayContaining(all.map((one) => one.id)),
    );
    for (const one of supported) {
      const { fields = {}, needs } = document.operations[one.id] ?? {};
      expect([one.id, one.needs]).toEqual([one.id, needs]);
      const { query } = operationOf(one.id as OperationId);
      const known = recordFields(one.id as OperationId);
      const declared = Object.keys(fields).filter((name) => name !== 'time');
      const filters = one.filters?.map(({ name }) => name) ?? [];
      if (query['filter'] !== undefined) expect(filters).toEqual(expect.arrayContaining(declared));
      // All other fields are those of the contract that the mapping assigns.
      for (const name of filters.filter((other) => !declared.includes(other))) {
        expect([name, known?.top[name]]).not.toEqual([name, undefined]);
        if (one.supported_response_fields?.length)
          expect(one.supported_response_fields).toContain(name);
      }
      for (const { name, values } of one.filters ?? [])
        expect([name, values]).toEqual([name, fields[name]?.values ?? known?.find(name)?.values]);
      if (query['order'] === undefined) continue;
      const orders = one.orders?.map(({ name }) => name) ?? [];
      const sortable = declared.filter(
        (name) => fields[name]?.sortable !== false && known?.find(name)?.orders !== false,
      );
      expect(orders).toEqual(expect.arrayContaining(sortable));
      for (const name of orders) expect(fields[name]?.sortable).not.toBe(false);
    }
    const { properties } = described.provider_config;
    const places = Object.keys(document.credentials);
    expect(Object.keys(properties).sort()).toEqual(
      [
        ...new Set([
          'type',
          ...Object.keys(document.configuration?.properties ?? {}),
          ...places.map((place) => place.split('.')[0]),
        ]),
      ].sort(),
    );
    // A place within an object of the configuration, such as authorization.credential.
    for (const place of places.filter((one) => one.includes('.'))) {
      const [above = '', name = ''] = place.split('.');
      expect(Object.keys(properties[above]?.properties ?? {})).toContain(name);
    }
  });

  describe('in a language', () => {
    const described = custom
      .replaceAll('custom_several', 'custom_translated')
      .replace('url: { type: string }', 'url: { type: string, description: Where it is. }');
    const translated = `${described}translations:
  - { en: Where it is., de: Wo es ist. }
  - { en: Read events, de: Ereignisse lesen }
`;
    const ask = (query: string) =>
      service.call('GET', `/v1/capabilities/providers/custom_translated${query}`);
    beforeAll(async () => {
      const { status } = await service.call('POST', '/v1/customs', { data: translated });
      expect(status).toBe(200);
    });

    it('has the translations of its texts beside the English ones', async () => {
      const { result } = await ask('?expand=provider_config&language=de-AT');
      expect(result).toMatchObject({
        provider_config: { properties: { url: { description: 'Where it is.' } } },
        translations: {
          language: 'de',
          texts: { 'Where it is.': 'Wo es ist.', 'Read events': 'Ereignisse lesen' },
        },
      });
    });

    it.each([
      '?language=de',
      '?expand=operations',
      ...['en', 'ja', 'tlh', 'de_AT', ''].map((one) => `?expand=operations&language=${one}`),
    ])('has none for %s', async (query) => {
      const { status, result } = await ask(query);
      expect([status, result['translations']]).toEqual([200, undefined]);
    });
  });
});
