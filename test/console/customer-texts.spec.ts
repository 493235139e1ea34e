import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rolldown } from 'rolldown';
import { schemaFaults } from '@onefold/mapping';
import type { Fault } from '#contract';
import { addressFault } from '#management/core';
import { credentialFaults } from '#management/credentials';
import {
  describeMock,
  describeProvider,
  type ProviderDescription,
  readProviders,
} from '#provider-document';
import { newFolder } from '../e2e/onefold.js';

interface Text {
  text: string;
  language?: string;
}
interface Field {
  kind: string;
  pointer: string;
  label: string;
  hint?: string;
  options?: readonly string[];
  words?: Readonly<Record<string, string>>;
  fields?: readonly Field[];
  variants?: readonly { name: string; label: string; fields: readonly Field[] }[];
}
/** The modules of the Connect UI, which run without a browser. */
interface ConnectUi {
  readFields: (schema: unknown, pointer: string, resolve: () => undefined) => readonly Field[];
  credentialFields: (kind: string) => readonly Field[];
  customerFields: (fields: readonly Field[]) => readonly Field[];
  providerText: (provider: object, text: string) => Text;
  providerWords: (provider: object) => {
    label: (name: string, given: string) => string;
    hint: (given: string) => Text;
  };
  messageOf: (fault: { message: string; remedy: string }) => string;
  sentence: (text: string) => string;
  speak: (wanted: readonly string[]) => Promise<void>;
  words: { value: { wrongValue: string; labels: Record<string, string> } };
}

const web = fileURLToPath(new URL('../../../apps/console/web/', import.meta.url));
const folders = new URL('../../libs/providers/', import.meta.url);
const languages = ['de', 'es', 'fr', 'ja'];
const built = newFolder();
let ui: ConnectUi;
let providers: readonly ProviderDescription[];

beforeAll(async () => {
  Object.assign(globalThis, {
    document: { documentElement: {} },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  });
  ui = await loadConnectUi();
  const names = readdirSync(folders).filter((name) =>
    existsSync(new URL(`${name}/provider.yaml`, folders)),
  );
  const compiled = await Promise.all(
    names.map((name) => readProviders(new URL(`${name}/`, folders))),
  );
  providers = compiled.flat().flatMap((one) => [describeProvider(one), describeMock(one)]);
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

async function loadConnectUi(): Promise<ConnectUi> {
  const entry = 'virtual:connect-ui';
  const modules = [
    'forms/fields.ts',
    'connect/customer-fields.ts',
    'connect/field-faults.ts',
    'connect/provider-text.ts',
    'connect/words.ts',
    'parts/sentence.ts',
  ];
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    plugins: [
      {
        name: 'entry',
        resolveId: (id: string) => (id === entry ? id : null),
        load: (id: string) =>
          id === entry
            ? modules.map((one) => `export * from '${join(web, one)}';`).join('\n')
            : null,
      },
    ],
  });
  await bundle.write({ dir: built, format: 'esm', entryFileNames: 'connect-ui.mjs' });
  return (await import(pathToFileURL(join(built, 'connect-ui.mjs')).href)) as ConnectUi;
}

/** The form of a provider, as a customer sees it. */
const formOf = ({ configuration }: ProviderDescription) =>
  ui.customerFields(ui.readFields(configuration, '/provider_config', () => undefined));

/** Each label, with its name, and each hint that a form shows. */
function* shownTexts(fields: readonly Field[]): Generator<{ name?: string; text: string }> {
  for (const one of fields) {
    const { kind, pointer, label, hint, words = {}, fields: inner = [], variants = [] } = one;
    if (kind === 'fixed') continue;
    yield { name: pointer.slice(pointer.lastIndexOf('/') + 1), text: label };
    if (hint !== undefined && kind !== 'choice' && kind !== 'group') yield { text: hint };
    yield* Object.values(words).map((text) => ({ text }));
    yield* shownTexts(inner);
    for (const variant of variants) {
      yield { name: variant.name, text: variant.label };
      yield* shownTexts(variant.fields);
    }
  }
}

/** Permissions that vendors name with words of a sentence. */
const vendorNames = [
  'Project and Team (Read)',
  'View MDM command information in Jamf Pro API',
  'Send Computer Remote Command to Download and Install OS X Update',
  'Send Mobile Device Remote Command to Download and Install iOS Update',
  'Set notes as private',
];
/** Words that make a sentence of names, or that no name of a permission has: not in ids such as `cluster:monitor/and`. */
const ownWords =
  /(?<![\w.:-])(an?|the|of|and|or|on|to|for|with|where|which|who|that|may|in|by|as|at|sending|reading|writing|viewing|searching|membership|roles?|keys?|tokens?|exports|imports|attributes)(?![\w.:-])/;

/** Whether a permission has words of ours. */
function isOurs(permission: string): boolean {
  return ownWords.test(vendorNames.reduce((text, name) => text.replaceAll(name, ''), permission));
}

/** The permissions that a provider asks for, as the Connect UI lists them. */
function permissionsOf({ operations, verifies = [] }: ProviderDescription): string[] {
  const ofOperations = Object.values(operations).flatMap((one) => one?.needs ?? []);
  return [...new Set([...ofOperations, ...verifies])];
}

/** Values that are names of others, as their systems and standards write them. */
const namesOfOthers = /^([A-Z]+(-[A-Z]+-\d+)?|us|uk|eu|gcc|gcc_high|dod|true|false)$/;

/** Lists the fields of a form, and those within them. */
function* everyField(fields: readonly Field[]): Generator<Field> {
  for (const one of fields) {
    yield one;
    yield* everyField(one.fields ?? []);
    for (const variant of one.variants ?? []) yield* everyField(variant.fields);
  }
}

it('has words for each value of a choice that is not a name of others', () => {
  const values = providers.flatMap((one) =>
    [...everyField(formOf(one))].flatMap(({ pointer, options = [], words = {} }) =>
      options
        .filter((value) => !namesOfOthers.test(value))
        .map((value) => ({ place: `${one.type} ${pointer} ${value}`, text: words[value] })),
    ),
  );
  expect(values.length).toBeGreaterThan(100);
  expect(values.filter(({ text }) => text === undefined)).toEqual([]);
});

describe.each(languages)('the Connect UI in %s', (language) => {
  beforeAll(() => ui.speak([language]));

  it('has every label and hint of every provider, mock and kind of credential', () => {
    const english = new Set<string>();
    const check = (provider: object, fields: readonly Field[]) => {
      const { label, hint } = ui.providerWords(provider);
      for (const { name, text } of shownTexts(fields)) {
        const isKnown =
          name === undefined
            ? hint(text).language === language
            : label(name, text) !== text || ui.words.value.labels[name] === text;
        if (!isKnown) english.add(name === undefined ? text : `${name}: ${text}`);
      }
    };
    for (const one of providers) check({ translations: one.translations?.(language) }, formOf(one));
    for (const kind of [
      'aws',
      'aws_role',
      'token',
      'basic',
      'secret',
      'o_auth_client',
      'tls_certificate',
    ])
      check({}, ui.credentialFields(kind));
    expect([...english]).toEqual([]);
  });

  it('has every step of setup', () => {
    const english = providers.flatMap((one) => {
      const translated = { translations: one.translations?.(language) };
      const steps = one.manifest.setup?.steps ?? [];
      return steps.filter((text) => ui.providerText(translated, text).language !== language);
    });
    expect(english).toEqual([]);
  });

  it('has every permission, but for names that the vendor gives it', () => {
    const english = providers.flatMap((one) => {
      const translated = { translations: one.translations?.(language) };
      return permissionsOf(one).filter(
        (text) => isOurs(text) && ui.providerText(translated, text).language !== language,
      );
    });
    expect(english).toEqual([]);
  });

  it('says what is wrong with any field', () => {
    const said = new Map<string, string>();
    for (const { message, remediation } of everyFault()) {
      const fault = { message: ui.sentence(message), remedy: ui.sentence(remediation ?? '.') };
      said.set(fault.message, ui.messageOf(fault));
    }
    expect(said.size).toBeGreaterThan(20);
    const untold = [...said].filter(
      ([message, text]) => text === message || text === ui.words.value.wrongValue,
    );
    expect(untold).toEqual([]);
  });
});

interface Schema extends Record<string, unknown> {
  properties?: Record<string, Schema>;
}

/** Lists the faults that the service finds in values that do not fit a configuration, and in credentials and addresses. */
function* everyFault(): Generator<{ message: string; remediation?: string }> {
  for (const { configuration } of providers)
    for (const [name, property] of Object.entries((configuration as Schema).properties ?? {}))
      for (const value of name === 'type' ? [] : wrongValues(property))
        yield* schemaFaults({ properties: { [name]: property } }, { [name]: value });
  const addresses = ['desk', 'ftp://desk.example', 'https://a:b@desk.example', 'x'.repeat(3_000)];
  for (const one of addresses)
    yield* [addressFault(one, '')].filter((fault): fault is Fault => fault !== undefined);
  const credentials: readonly ({ type: string } & Record<string, unknown>)[] = [
    { type: 'token', secret: 'a\nb' },
    { type: 'token', secret: 'тест' },
    { type: 'tls_certificate', certificate: 'x', private_key: 'x', certificate_authority: 'x' },
    { type: 'aws_role', role_arn: 'x', external_id: '!', role_session_name: '!', duration: 1 },
    { type: 'aws_role', role_arn: 'x', external_id: 'another' },
  ];
  for (const awsRoles of [true, false])
    for (const one of credentials) yield* credentialFaults(one, '', { awsRoles, owner: 'acc_1' });
  yield { message: 'expired at 2026-01-01T00:00:00.000Z' };
  yield { message: 'does not match the certificate' };
}

/** Values of a wrong type, length, form and number, as far as a form can send them. */
const wrongValues = ({ minItems, maxItems }: Schema): readonly unknown[] => [
  '',
  'ä\n!',
  'x'.repeat(5_000),
  -1,
  0.5,
  100_000,
  ...(maxItems === undefined && minItems === undefined
    ? []
    : [[], Array.from({ length: 500 }, () => 'x')]),
];
