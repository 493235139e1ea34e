import { describe, expect, it } from '@jest/globals';
import { operations } from '#contract';
import { MappingError } from '@onefold/mapping';
import { compileProvider } from './compile-provider.js';
import { describeProvider } from './describe-provider.js';

const right = `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
configuration:
  properties: { url: { type: string } }
  required: [url]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.id
operations:
  ticketing_get_ticket:
    response: ticket
    steps:
      - path: /tickets/{this.path.ticketId}
    record: this.steps.call
`;

function faultsOf(
  text: string,
): { message: string; line: number; column: number; hint?: string }[] {
  try {
    compileProvider(text);
  } catch (error) {
    if (error instanceof MappingError) return [...error.faults];
    throw error;
  }
  return [];
}

/** The place of a text in the document, from 1. */
function placeOf(text: string, part: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(part)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

describe('a provider document', () => {
  it('that is right compiles', () => {
    expect(faultsOf(right)).toEqual([]);
    const { operations, credentials } = compileProvider(right);
    expect([...operations.keys()]).toEqual(['ticketing_get_ticket']);
    expect([...(credentials[0]?.kinds.keys() ?? [])]).toEqual(['token']);
  });

  // "Fields follow from the contract by default", and "fields outside the contract are refused when the document is checked".
  describe('with a list', () => {
    const list = (more = '') =>
      `${right}  ticketing_query_tickets:
    steps: [{ path: /tickets }]
    rows: this.steps.call
${more.replace(/^/gm, '    ')}
`;
    const described = (more: string) =>
      describeProvider(compileProvider(list(more))).operations.ticketing_query_tickets;

    it('has the fields of the contract, as far as its mapping fills them', () => {
      expect(Object.keys(described('')?.fields ?? {})).toContain('priority');
      expect(described('response: ticket')?.fields).toEqual({ id: { type: 'string' } });
    });

    it('declares what the contract says by itself no more', () => {
      const { fields, pushes } = described('fields: { priority: { filters: [eq] } }') ?? {};
      expect(fields?.['priority']).toMatchObject({ type: 'enum' });
      expect(fields?.['priority']?.values?.[0]).toBe('URGENT');
      expect(pushes?.filter({ field: 'priority', operator: 'eq', values: [] })).toBe(true);
    });

    it('says whether it costs further calls for its rows, and not for batches of them', () => {
      const describedWith = (each: string) => {
        const steps = `[{ name: call, path: /tickets }, { name: more, each: ${each}, path: /more }]`;
        const at = list().lastIndexOf('[{ path: /tickets }]');
        const text = list().slice(0, at) + list().slice(at).replace('[{ path: /tickets }]', steps);
        return describeProvider(compileProvider(text)).operations.ticketing_query_tickets;
      };
      expect(described('')).not.toHaveProperty('callsPerRow');
      expect(describedWith('this.steps.call')).toMatchObject({ callsPerRow: true });
      expect(describedWith('"range(0, 3)"')).not.toHaveProperty('callsPerRow');
    });

    it('says why a filter of a time reads the whole list, with the page of the vendor', () => {
      const reason = 'Acme filters by no time: https://acme.example/docs';
      const fields = (text: string) => `fields: { updated_at: { reads_all: '${text}' } }`;
      expect(described(fields(reason))?.readsAll).toEqual({ updated_at: reason });
      expect(described('')).not.toHaveProperty('readsAll');
      expect(() => described(fields('Acme cannot'))).toThrow(/reads_all/);
    });

    it('is ordered by its default order, and by time where this costs nothing', () => {
      expect(described('order: id[desc]')?.order).toBe('id[desc]');
      expect(described('')?.order).toBe('time');
      const paged = 'page: { kind: link, size: 10 }';
      expect(described(paged)?.order).toBeUndefined();
      expect(described(`${paged}\nfields: { time: { orders: [asc] } }`)?.order).toBe('time');
    });

    it('is ordered as the provider does where its records do not have the field that the contract orders by', () => {
      expect(operations.get('edr_query_endpoints')?.order).toBe('name');
      const text = list()
        .replace('ticketing_query_tickets', 'edr_query_endpoints')
        .replace('ticketing_acme', 'custom_acme'); // may have operations of every domain
      const { edr_query_endpoints: endpoints } = describeProvider(compileProvider(text)).operations;
      expect(endpoints).toMatchObject({ action: 'query' });
      expect(endpoints?.order).toBeUndefined();
    });

    it.each([
      ['statuz', 'statuz', 'Did you mean status?'],
      ['custom_fields', 'custom_fields', expect.stringContaining('Its fields are')],
      ['unmapped.site', 'unmapped.site', expect.stringContaining('Its fields are')],
    ])('is refused with the field %s, which the contract does not have', (name, named, hint) => {
      const text = list(`fields:\n  ${name}: { type: string }`);
      expect(faultsOf(text)).toEqual([
        {
          message: `the records of ticketing_query_tickets have no field "${named}" that can be compared`,
          hint,
          ...placeOf(text, `${name}: {`),
        },
      ]);
    });
  });

  it('finds the shared templates for OCSF in its mappings', () => {
    const { operations } = compileProvider(
      right.replace('root.id = this.id', 'root = this.level.apply("ocsf.severity")'),
    );
    const mapping = operations.get('ticketing_get_ticket')?.response;
    expect(mapping?.run({ level: 'low' })?.record).toEqual({ severity_id: 2, severity: 'Low' });
  });

  it('does not take what every object inherits for a part of it', () => {
    const path = 'path: /tickets/{this.path.ticketId}';
    const credential = right.replace(path, `${path}\n        credential: constructor`);
    expect(faultsOf(credential)).toMatchObject([
      { message: 'there is no credential "constructor"' },
    ]);
    const then = right.replace('record: this.steps.call', 'then: { operation: toString }');
    expect(faultsOf(then)).toMatchObject([{ message: 'the document has no operation "toString"' }]);
    const named = right.replace('{ url: { type: string } }', '{ url: {}, constructor: {} }');
    expect(faultsOf(named)).toEqual([]);
  });

  it.each([
    ['an unknown key', 'vendor: Acme', 'vender: Acme', 'vender', /unknown key "vender"/, /vendor/],
    ['a value that is none of its list', 'send: header', 'send: heater', 'heater', /send|tag/, /./],
    [
      'an unknown operation',
      'ticketing_get_ticket:',
      'ticketing_get_tickets:',
      ' ',
      /no operation "ticketing_get_tickets"/,
      /ticketing_get_ticket/,
    ],
    [
      'an operation of another domain',
      'ticketing_get_ticket:',
      'edr_get_endpoint:',
      ' ',
      /operation of edr/,
      /custom/,
    ],
    [
      'an unknown mapping',
      'response: ticket',
      'response: tocket',
      'tocket',
      /no mapping "tocket"/,
      /ticket/,
    ],
    [
      'a query that does not parse',
      'record: this.steps.call',
      'record: this.steps.',
      'this.steps.',
      /./,
      /./,
    ],
    [
      'a query with an unknown method',
      'this.credential.secret',
      'this.credential.secret.upper()',
      'upper',
      /upper/,
      /uppercase/,
    ],
    [
      'a template that does not parse',
      'root.id = this.id',
      'root.id = = this.id',
      '= this.id',
      /./,
      /./,
    ],
    [
      'a broken expression in a path',
      '{this.path.ticketId}',
      '{this.path.}',
      'path: /tickets',
      /./,
      /./,
    ],
    [
      'a path without a closing brace',
      '{this.path.ticketId}',
      '{this.path.ticketId',
      ' ',
      /the { has no matching }/,
      /./,
    ],
    [
      'a read without a record',
      '    record: this.steps.call\n',
      '',
      ' ',
      /no record/,
      /Add record/,
    ],
    ['no YAML', 'version: 1.0.0', 'version: [1.0.0', ' ', /./, /./],
  ])('with %s is refused at its place', (_what, before, after, at, message, hint) => {
    const text = right.replace(before, after);
    expect(text).not.toBe(right);
    const [fault] = faultsOf(text);
    expect(fault?.message).toMatch(message);
    if (fault?.hint !== undefined) expect(fault.hint).toMatch(hint);
    if (at.trim() === '') return;
    const place = placeOf(text, at === 'upper' ? '.upper()' : at);
    expect(fault?.line).toBe(place.line);
  });

  it('gives reasons for operations that exist and that it does not offer', () => {
    const reasons = (id: string) => `${right}unsupported: { ${id}: there are none }\n`;
    const { unsupported } = describeProvider(compileProvider(reasons('ticketing_list_notes')));
    expect(unsupported).toEqual({ ticketing_list_notes: 'there are none' });
    expect(faultsOf(reasons('ticketing_get_ticket'))[0]?.message).toBe(
      'the document offers "ticketing_get_ticket"',
    );
    expect(faultsOf(reasons('ticketing_list_notez'))[0]?.message).toContain('no operation');
  });

  it('tells all of its faults at once, each with the line and a caret', () => {
    const text = right
      .replace('this.config.url', 'this.config.url.nope()')
      .replace('root.id = this.id', 'root.id = nope()')
      .replace('response: ticket', 'response: tocket')
      .replace('this.steps.call', 'this.steps.call.alsonope()');
    const faults = faultsOf(text);
    expect(faults.map(({ line }) => line).sort((a, b) => a - b)).toEqual(
      ['url.nope()', 'id = nope()', 'tocket', 'alsonope']
        .map((part) => placeOf(text, part).line)
        .sort((a, b) => a - b),
    );
    try {
      compileProvider(text);
    } catch (error) {
      expect((error as Error).message).toMatch(/line \d+, column \d+/);
      expect((error as Error).message).toContain('^');
    }
  });

  it('tells what does not fit its shape together with what does not compile', () => {
    const text = right
      .replace('fullname: Acme', 'fulname: Acme')
      .replace('send: header', 'send: heater')
      .replace('this.config.url', 'this.config.url.nope()')
      .replace('root.id = this.id', 'root.id = nope()')
      .replace('response: ticket', 'response: tocket\n    wrong: key')
      .replace('this.steps.call', 'this.steps.call.alsonope()');
    const lines = new Set(faultsOf(text).map(({ line }) => line));
    for (const part of [
      'fulname',
      'heater',
      'url.nope()',
      'id = nope()',
      'tocket',
      'wrong',
      'alsonope',
    ])
      expect([part, lines.has(placeOf(text, part).line)]).toEqual([part, true]);
  });

  it.each([
    [
      'is not a JSON Schema',
      'type: string',
      'type: strng',
      'strng',
      /type must be one of .*integer/,
    ],
    ['has a secret', 'type: string', 'type: string, writeOnly: true', 'url: {', /can be read/],
    [
      'uses the name of a credential',
      'url: {',
      'credential: {',
      'credential: { type: s',
      /already/,
    ],
    ['names its type', 'url: {', 'type: {', 'type: { type', /id of the provider/],
  ])('whose configuration %s is refused', (_what, before, after, at, message) => {
    const text = right.replace(before, after);
    const found = faultsOf(text).find((fault) => message.test(fault.message));
    expect(found?.line).toBe(placeOf(text, at).line);
  });

  it('marks the secrets of its credentials, and no other field', () => {
    const { configuration } = describeProvider(
      compileProvider(
        right.replace(
          'token:',
          'o_auth_client: { send: client_credentials, token_url: this.config.url }\n    token:',
        ),
      ),
    );
    const { properties } = configuration as {
      properties: Record<string, { properties: Record<string, { writeOnly?: boolean }> }>;
    };
    const fields = properties['credential']?.properties ?? {};
    expect(Object.keys(fields).sort()).toEqual(
      ['client_id', 'client_secret', 'extra', 'secret', 'token_url', 'type', 'value'].sort(),
    );
    expect(
      Object.keys(fields)
        .filter((name) => fields[name]?.writeOnly)
        .sort(),
    ).toEqual(['client_secret', 'secret']);
  });

  it('of a customer names no files, and is no longer than it may be', () => {
    const file = right.replace(/ {2}ticket:\n(?: {4}.*\n)+/, '  ticket: mappings/ticket.yaml\n');
    expect(faultsOf(file)[0]?.message).toMatch(/mapping document/);
    expect(faultsOf(`${right}#${'x'.repeat(300_000)}`)[0]?.message).toMatch(/characters/);
  });
});
