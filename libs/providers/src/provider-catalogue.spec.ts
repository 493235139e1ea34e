import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { operations } from '#contract';
import {
  type CompiledProvider,
  describeMock,
  describeProvider,
  isMockType,
} from '#provider-document';
import { mockTicketing } from '#providers/mock-ticketing';
import type { Store } from '#store';
import { openCatalogue, ProviderCatalogue } from './index.js';

const built = new URL('../', import.meta.url);
const manifestWriter = new URL('../../../../libs/providers/manifests.mjs', import.meta.url).href;
const acme = `
version: 1.0.0
vendor: Acme
providers:
  edr_acme: { fullname: Acme Response }
  assets_acme: { fullname: Acme Inventory, availability: pre-release }
http: { base_url: '"https://acme.example"' }
operations:
  edr_get_endpoint: { steps: [{ path: /endpoint }], record: this.steps.call }
  assets_query_devices: { steps: [{ function: devices }], rows: this.steps.call }
`;
const store = undefined as unknown as Store; // The documents of this spec are compiled and not run.

/** The part of a document that contains its providers' ids: one, or several. */
interface Named {
  provider?: string;
  providers?: Record<string, unknown>;
}

describe('the built-in providers', () => {
  const catalogue = openCatalogue({
    make: describeProvider,
    makeMocks: (compiled) => compiled.map(describeMock),
    others: [mockTicketing(store)],
  });

  it('say how to get their credentials; mocks need none', () => {
    const without = catalogue.manifests
      .filter(({ type, setup }) => setup === undefined && !isMockType(type))
      .map(({ type }) => type);
    expect(without).toEqual(['sink_http']); // The address is the customer's own.
    expect(catalogue.manifests.filter(({ type, setup }) => setup && isMockType(type))).toEqual([]);
    const storage = catalogue.manifests.find(({ type }) => type === 'storage_gcs');
    expect(storage?.setup?.steps[1]).toContain('HMAC key');
  });

  it('are all that the documents name, their mocks, and the desk without a document', () => {
    const named = readdirSync(built, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => new URL(`${name}/provider.yaml`, built))
      .filter((file) => existsSync(file))
      .flatMap((file) => {
        const { provider, providers = {} } = parse(readFileSync(file, 'utf8')) as Named;
        return provider === undefined ? Object.keys(providers) : [provider];
      });
    const all = catalogue.manifests.map(({ type }) => type);
    expect(all.filter((type) => !type.endsWith('_mock')).sort()).toEqual(
      [...named, 'ticketing_mock_ticketing'].sort(),
    );
    const mocks = all.filter((type) => type.endsWith('_mock'));
    expect(named).toEqual(expect.arrayContaining(mocks.map((type) => type.replace(/_mock$/, ''))));
  });

  it.each(catalogue.manifests.map((manifest) => [manifest.type, manifest] as const))(
    '%s compiles, and has the manifest that the build wrote',
    async (type, manifest) => {
      const provider = await catalogue.find(type);
      expect(provider?.manifest).toEqual(manifest);
      expect(provider?.type).toBe(type);
    },
  );

  // "Every operation of the domain that the vendor's API can serve; for each one it cannot, the reason in the document."
  it.each(catalogue.manifests.map(({ type }) => type))(
    '%s serves each operation of its domain, or says why it cannot',
    async (type) => {
      const provider = await catalogue.find(type);
      const ids = [...operations.values()]
        .filter(({ side, group }) => side === 'connector' && group === type.split('_')[0])
        .map(({ id }) => id);
      expect(ids).not.toEqual([]);
      const known = { ...provider?.operations, ...provider?.unsupported };
      // The domain creates the records of a batch one by one: no document has an operation for it.
      const asked = ids.map((id) => (id === 'custom_post_batch' ? 'custom_post' : id));
      expect(asked.filter((id) => !Object.hasOwn(known, id))).toEqual([]);
    },
  );

  it('write no field of a patch that the contract does not have, so that a misspelled one is refused', async () => {
    const wrong: string[] = [];
    for (const { type } of catalogue.manifests) {
      const provider = await catalogue.find(type);
      for (const [id, offered] of Object.entries(provider?.operations ?? {}))
        if (
          id.includes('_patch_') &&
          ['nmae', 'unmapped'].some((name) => offered.readsField?.(name))
        )
          wrong.push(`${type} ${id}`);
    }
    expect(wrong).toEqual([]);
  });

  // Vendors serve all operations of appsec, so its made-up vendor has none of its own.
  // "`<domain>_mock_<domain>` for each domain that has an operation no vendor of this table serves."
  it.each(['assets', 'chat', 'vulnerabilities'])(
    '%s has a made-up vendor with an operation of its own, which names mocks that serve the rest',
    async (domain) => {
      const type = `${domain}_mock_${domain}`;
      const ofDomain = await Promise.all(
        catalogue.manifests
          .filter((one) => one.type.startsWith(`${domain}_`) && one.type !== type)
          .map(async (one) => [one.type, await catalogue.find(one.type)] as const),
      );
      const serving = (id: string) =>
        ofDomain
          .filter(([, one]) => Object.hasOwn(one?.operations ?? {}, id))
          .map(([name]) => name);
      const { operations: own = {}, unsupported = {} } = (await catalogue.find(type)) ?? {};
      const only = Object.keys(own).filter((id) => serving(id).length === 0);
      const [, listed = ''] =
        new RegExp(`^\\| \`${type}\` +\\| (.+?) +\\|$`, 'm').exec(
          readFileSync(new URL('../../../docs/fakes.md', built), 'utf8'),
        ) ?? [];
      expect(only).not.toEqual([]);
      expect(listed.split(', ').toSorted()).toEqual(only.map((id) => `\`${id}\``).toSorted());
      for (const [id, reason] of Object.entries(unsupported)) {
        const named = reason.match(/\b[a-z_\d]+_mock\b/g) ?? [];
        const mocks = serving(id).filter((name) => name.endsWith('_mock'));
        expect([id, named.filter((name) => !mocks.includes(name))]).toEqual([id, []]);
        // A reason has room for some of them.
        const enough = Math.min(mocks.length, 2);
        expect([id, named.length >= enough]).toEqual([id, true]);
      }
    },
  );

  it('do not include unknown ids', async () => {
    expect(await catalogue.find('ticketing_nobody')).toBeUndefined();
  });
});

describe('a folder of providers', () => {
  let folder: string;
  const open = () => openCatalogue({ make: describeProvider, folder: pathToFileURL(`${folder}/`) });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'onefold-providers-'));
    for (const name of ['jira', 'redmine', 'manifests.json'])
      cpSync(join(fileURLToPath(built), name), join(folder, name), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('opens without reading its documents, and an error in one does not affect the others', async () => {
    writeFileSync(join(folder, 'jira/provider.yaml'), 'provider: ticketing_jira\nhttp: [');
    const catalogue = open();
    expect(catalogue.isBuiltIn('ticketing_jira')).toBe(true);
    await expect(catalogue.find('ticketing_jira')).rejects.toThrow(
      /jira\/provider\.yaml: .*line 2/s,
    );
    expect(await catalogue.find('ticketing_redmine')).toMatchObject({ type: 'ticketing_redmine' });
  });
});

describe('a vendor of several providers', () => {
  it('is one folder and one document, compiled once, with the functions of its client', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'onefold-providers-'));
    mkdirSync(join(folder, 'acme'));
    writeFileSync(join(folder, 'acme/provider.yaml'), acme);
    writeFileSync(join(folder, 'acme/client.js'), 'export const devices = () => [];\n');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const { writeManifests } = (await import(manifestWriter)) as {
      writeManifests: (folder: string) => void;
    };
    writeManifests(folder);
    try {
      const catalogue = openCatalogue({
        make: describeProvider,
        folder: pathToFileURL(`${folder}/`),
      });
      const types = ['edr_acme', 'assets_acme'];
      expect(catalogue.manifests.map(({ type }) => type)).toEqual(expect.arrayContaining(types));
      const [edr, assets] = await Promise.all(types.map((type) => catalogue.find(type)));
      expect(Object.keys(edr?.operations ?? {})).toEqual(['edr_get_endpoint']);
      expect(Object.keys(assets?.operations ?? {})).toEqual(['assets_query_devices']);
      for (const provider of [edr, assets])
        expect(catalogue.manifests).toContainEqual(provider?.manifest);
      rmSync(join(folder, 'acme'), { recursive: true });
      expect(await catalogue.find('edr_acme')).toBe(edr);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the mocks of vendors with a fake', () => {
  const isMock = ({ type }: { type: string }) => /_mock(?:_|$)/.test(type);

  it('are created without loading the real providers, and only if mocks are enabled', async () => {
    let made = 0;
    const makeMocks = (compiled: readonly CompiledProvider[]) => {
      made += 1;
      return compiled.map(describeMock);
    };
    const catalogue = openCatalogue({ make: describeProvider, makeMocks });
    const mocks = catalogue.manifests.filter(isMock).map(({ type }) => type);
    expect(mocks).toEqual(
      expect.arrayContaining([
        'incidentresponse_pagerduty_mock',
        'notifications_mock_notifications',
      ]),
    );
    const mock = await catalogue.find('incidentresponse_pagerduty_mock');
    const real = await catalogue.find('incidentresponse_pagerduty');
    expect(Object.keys(mock?.operations ?? {})).toEqual(Object.keys(real?.operations ?? {}));
    expect(made).toBe(1);
    const without = openCatalogue({ make: describeProvider });
    expect(without.manifests.filter(isMock)).toEqual([]);
    expect(await without.find('notifications_mock_notifications')).toBeUndefined();
  });
});

const document = (id: string, version = '1') => ({
  id,
  version,
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
  const get = async (catalogue: ProviderCatalogue, one: ReturnType<typeof document>) =>
    await catalogue.find(`custom_${one.id}`, one);

  it('are compiled once for each version, also by concurrent calls', async () => {
    const catalogue = new ProviderCatalogue([], describeProvider);
    const [first, second] = await Promise.all([
      get(catalogue, document('a')),
      get(catalogue, document('a')),
    ]);
    expect(second).toBe(first);
    expect((await get(catalogue, document('a', '2')))?.manifest.fullname).toBe('a 2');
    expect(await get(catalogue, document('a'))).toBe(first);
    const [listed] = await catalogue.ofDocument(document('a'));
    expect(listed).toBe(first);
  });

  it('are cached while they are among the last two hundred that were used', async () => {
    const catalogue = new ProviderCatalogue([], describeProvider);
    const used = await get(catalogue, document('used'));
    const unused = await get(catalogue, document('unused'));
    for (let index = 0; index < 199; index += 1) {
      await get(catalogue, document(`d${index}`));
      await get(catalogue, document('used'));
    }
    expect(await get(catalogue, document('used'))).toBe(used);
    expect(await get(catalogue, document('unused'))).not.toBe(unused);
  });

  it('are dropped where the memory of all is more than 64 MB, and built-in ones are not', async () => {
    let loaded = 0;
    const [own] = await new ProviderCatalogue([], describeProvider).ofDocument(document('own'));
    if (own === undefined) throw new Error('the document describes no provider');
    const load = () => {
      loaded += 1;
      return [own];
    };
    const catalogue = new ProviderCatalogue(
      [{ folder: 'own', manifests: [own.manifest], load }],
      describeProvider,
    );
    await catalogue.find('custom_own');
    const large = (id: string) => {
      const { data, ...rest } = document(id);
      return { ...rest, data: data.padEnd(250_000, '\n# a comment') };
    };
    const first = await get(catalogue, large('a'));
    await get(catalogue, large('b'));
    expect(await get(catalogue, large('a'))).toBe(first);
    for (const id of ['c', 'd']) await get(catalogue, large(id));
    expect(await get(catalogue, large('a'))).not.toBe(first);
    await catalogue.find('custom_own');
    expect(loaded).toBe(1);
  });

  it('that are no longer valid are refused by name', async () => {
    const broken = { ...document('a'), data: 'provider: custom_a' };
    const catalogue = new ProviderCatalogue([], describeProvider);
    await expect(get(catalogue, broken)).rejects.toThrow(
      'the document of the custom provider a is not valid',
    );
  });
});
