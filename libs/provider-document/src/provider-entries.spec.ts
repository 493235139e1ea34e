import { describe, expect, it } from '@jest/globals';
import { describeFault, MappingError } from '@onefold/mapping';
import { compileProviders } from './compile-provider.js';
import { describeProvider } from './describe-provider.js';

const document = `
version: 2.1.0
vendor: Acme
description: What Acme knows of machines.
providers:
  edr_acme:
    fullname: Acme Response
    verify: [{ path: /alerts, needs: 'Alerts: read' }]
  assets_acme:
    fullname: Acme Inventory
    description: The machines of Acme.
    availability: pre-release
    base_url: this.config.inventory_url
    configuration:
      properties: { inventory_url: { type: string } }
      required: [inventory_url]
configuration:
  properties: { url: { type: string } }
  required: [url]
credentials:
  credential: { token: { send: header, name: authorization, value: this.credential.secret } }
http: { base_url: this.config.url }
verify: [{ path: /me, needs: a token }]
operations:
  edr_get_endpoint:
    steps: [{ path: '/endpoints/{this.path.id}' }]
    record: this.steps.call
  assets_query_devices:
    steps: [{ path: /devices }]
    rows: this.steps.call
`;

function faultsOf(text: string): { message: string; line: number }[] {
  try {
    compileProviders(text);
    return [];
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return error.faults.map(({ message, line }) => ({ message, line }));
  }
}

/** The line of the document that has a text. */
const lineOf = (text: string, part: string) =>
  text.split('\n').findIndex((line) => line.includes(part)) + 1;

describe('a document of several providers', () => {
  const [edr, assets] = compileProviders(document);

  it('offers an operation by those alone that do not say why they lack it', () => {
    const other = document
      .replace(
        'operations:\n',
        `operations:
  edr_query_alerts:
    steps: [{ path: /alerts }]
    rows: this.steps.call
`,
      )
      .replace(
        '  assets_acme:\n',
        `  edr_acme_lite:
    fullname: Acme Lite
    unsupported: { edr_query_alerts: Acme Lite has no alerts }
  assets_acme:
`,
      );
    const [whole, lite] = compileProviders(other).map(describeProvider);
    expect(whole).not.toHaveProperty('unsupported');
    expect(Object.keys(whole?.operations ?? {})).toContain('edr_query_alerts');
    expect(lite?.unsupported).toEqual({ edr_query_alerts: 'Acme Lite has no alerts' });
    expect(Object.keys(lite?.operations ?? {})).toEqual(['edr_get_endpoint']);
  });

  it('refuses the reason of an operation that its domain does not have', () => {
    const wrong = document.replace(
      '    availability: pre-release\n',
      `    availability: pre-release
    unsupported: { edr_get_endpoint: no endpoints, assets_query: no assets }
`,
    );
    expect(faultsOf(wrong)).toEqual([
      {
        message: '"edr_get_endpoint" is an operation of edr, the provider is one of assets',
        line: lineOf(wrong, 'unsupported:'),
      },
      { message: 'there is no operation "assets_query"', line: lineOf(wrong, 'unsupported:') },
    ]);
  });

  it('describes each by what all have, and by what is its own', () => {
    expect(describeProvider(edr).manifest).toEqual({
      type: 'edr_acme',
      version: '2.1.0',
      fullname: 'Acme Response',
      vendor: 'Acme',
      description: 'What Acme knows of machines.',
      availability: 'generally-available',
    });
    expect(assets && describeProvider(assets).manifest).toEqual({
      type: 'assets_acme',
      version: '2.1.0',
      fullname: 'Acme Inventory',
      vendor: 'Acme',
      description: 'The machines of Acme.',
      availability: 'pre-release',
    });
  });

  it('offers each operation by the provider of its domain', () => {
    expect([...edr.operations.keys()]).toEqual(['edr_get_endpoint']);
    expect([...(assets?.operations.keys() ?? [])]).toEqual(['assets_query_devices']);
  });

  it('asks each for the configuration of all, and for its own', () => {
    expect(describeProvider(edr).configuration).toMatchObject({
      properties: { type: { const: 'edr_acme' }, url: {}, credential: {} },
      required: ['type', 'url', 'credential'],
    });
    expect(assets && describeProvider(assets).configuration).toMatchObject({
      properties: { type: { const: 'assets_acme' }, url: {}, inventory_url: {} },
      required: ['type', 'url', 'inventory_url', 'credential'],
    });
  });

  it('calls each at its address, and tries what it needs', () => {
    const config = { url: 'https://acme.example', inventory_url: 'https://inventory.example' };
    expect(edr.baseUrl({ config })).toBe(config.url);
    expect(assets?.baseUrl({ config })).toBe(config.inventory_url);
    expect(edr.verify.map(({ needs }) => needs)).toEqual(['a token', 'Alerts: read']);
    expect(assets?.verify.map(({ needs }) => needs)).toEqual(['a token']);
  });

  it.each([
    [
      'an id beside them',
      ['version: 2.1.0', 'version: 2.1.0\nprovider: edr_other'],
      'a document has either provider or providers',
      'edr_other',
    ],
    [
      'a provider without a name',
      ['    fullname: Acme Response\n', ''],
      'the key "fullname" is missing',
      'edr_acme:',
    ],
    [
      'a provider without an operation',
      ['  assets_acme:', '  siem_acme: { fullname: Acme Events }\n  assets_acme:'],
      'the document has no operation of siem',
      'siem_acme',
    ],
    [
      'an operation of no provider',
      ['  assets_query_devices:', '  siem_query_events:'],
      '"siem_query_events" is an operation of siem, the provider is one of edr and assets',
      'siem_query_events:',
    ],
    [
      'an expression that does not compile',
      ['base_url: this.config.inventory_url', 'base_url: this..inventory_url'],
      'expected',
      'this..inventory_url',
    ],
    [
      'a secret in a configuration',
      ['inventory_url: { type: string }', 'inventory_url: { type: string, format: password }'],
      'the configuration can be read by everybody who may read the integration',
      'format: password',
    ],
    [
      'an unknown key',
      ['    availability: pre-release', '    available: pre-release'],
      'unknown key "available"',
      'available:',
    ],
  ])('refuses %s at its place', (_what, [from = '', to = ''], message, place) => {
    const text = document.replace(from, to);
    expect(text).not.toBe(document);
    expect(faultsOf(text)).toContainEqual({
      message: expect.stringContaining(message),
      line: lineOf(text, place),
    });
  });

  it('names what is missing where there is neither one nor several', () => {
    const text = document.replace(/providers:[^]*?\nconfiguration:/, 'configuration:');
    expect(faultsOf(text).map(({ message }) => message)).toEqual(
      expect.arrayContaining(['the key "provider" is missing', 'the key "fullname" is missing']),
    );
  });
});

describe('authorizations of a vendor', () => {
  const common = `authorization:
  credential: credential
  authorize_url: https://acme.example/authorize
  token_url: https://acme.example/token
  source: https://acme.example/docs
`;
  const own = document.replace(
    '    fullname: Acme Response\n',
    '    fullname: Acme Response\n    authorization: { scopes: [alerts], client: body }\n',
  );

  it('have their addresses once, and scopes with each provider that has them', () => {
    const [edr, assets] = compileProviders(common.concat(own));
    expect(describeProvider(edr).manifest.authorization).toEqual({
      credential: 'credential',
      source: 'https://acme.example/docs',
      authorize_url: 'https://acme.example/authorize',
      token_url: 'https://acme.example/token',
      scopes: ['alerts'],
      client: 'body',
    });
    expect(assets && describeProvider(assets).manifest).not.toHaveProperty('authorization');
  });

  it.each([
    [
      'without an address',
      common.replace(/ {2}token_url.*\n/, '').concat(own),
      'the key "token_url" is missing',
      '{ scopes: [alerts], client: body }',
    ],
    [
      'without scopes',
      common.concat(own.replace('scopes: [alerts], ', '')),
      'the key "scopes" is missing',
      '{ client: body }',
    ],
    [
      'of no provider',
      common.concat(document),
      'no provider of the document has an authorization of its own',
      'authorization:',
    ],
  ])('are refused %s', (_what, text, message, place) => {
    expect(faultsOf(text)).toEqual([{ message, line: lineOf(text, place) }]);
  });
});

describe('files that a document includes', () => {
  const main = document
    .replace(/ {2}assets_query_devices:[\s\S]*$/, '')
    .concat('include: [operations/assets.yaml]\n');
  const devices = `operations:
  assets_query_devices:
    steps: [{ path: /devices }]
    rows: this.steps.call
`;
  const compile = (file: string) => compileProviders(main, () => file);

  it('have operations of the same document', () => {
    const [edr, assets] = compile(devices);
    expect([...edr.operations.keys()]).toEqual(['edr_get_endpoint']);
    expect([...(assets?.operations.keys() ?? [])]).toEqual(['assets_query_devices']);
  });

  it.each([
    ['an unknown key', 'rows:', 'row:', 'unknown key "row"', 4],
    ['a wrong name', 'steps.call', 'steps.cal', 'this.steps.cal does not exist', 4],
    [
      'an operation that exists in another file',
      'operations:',
      'operations:\n  edr_get_endpoint: { steps: [{ path: /x }], record: this.steps.call }',
      '"edr_get_endpoint" already exists in another file',
      2,
    ],
    ['other keys', 'operations:', 'vendor: Acme\noperations:', 'unknown key "vendor"', 1],
  ])('tell %s with their name', (_what, from, to, message, line) => {
    const file = devices.replace(from, to);
    let found: MappingError | undefined;
    try {
      compile(file);
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      found = error;
    }
    const [fault] = found?.faults ?? [];
    expect(fault?.message).toContain(message);
    expect(fault?.line).toBe(line);
    expect(found?.message).toContain(`operations/assets.yaml: line ${line}, column `);
    // Above the caret is the line of the file, and not that of the document, wherever the fault is shown.
    const text = file.split('\n')[line - 1] ?? '';
    expect(found?.message).toContain(`${line} | ${text}\n`);
    expect(fault && describeFault(fault, main)).toContain(`${line} | ${text}\n`);
  });

  it('are for built-in documents alone', () => {
    expect(faultsOf(main).map(({ message }) => message)).toContain(
      'only built-in documents include files',
    );
  });
});
