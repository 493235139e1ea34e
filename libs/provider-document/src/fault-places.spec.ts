import { describe, expect, it } from '@jest/globals';
import { MappingError } from '@onefold/mapping';
import { compileProvider } from './compile-provider.js';

/** A document with every kind of part. Each value of one line can also be written below its key. */
const right = `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
configuration:
  properties:
    url:
      type: string
  required:
    - url
credentials:
  credential:
    token:
      send: header
      name: x-key
      value: this.credential.secret
http:
  base_url: this.config.url
  message: this.body.error
  limits:
    concurrency: 3
  retry:
    attempts: 2
errors:
  - when: this.body.error != null
    status: 400
    message: this.body.error
verify:
  - path: /me
    needs: read
    passes: this.body.ok
operations:
  ticketing_query_tickets:
    response: ticket
    order: created_at
    fields:
      created_at:
        orders:
          - asc
    page:
      kind: offset
      size: 100
      count: this.body.items.length()
    steps:
      - name: list
        path: /tickets
        query: root.offset = this.page.offset
        checks:
          - that: this.status == 200
            status: 404
            message: this.body.error
      - name: owners
        each: this.steps.list.items
        path: /users/{this.item.owner}
    rows: this.steps.list.items.zip(this.steps.owners)
  ticketing_get_ticket:
    needs: read
    response: ticket
    steps:
      - path: /tickets/{this.path.ticketId}
    record: this.steps.call
unsupported:
  ticketing_list_notes: tickets have no notes
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: root.id = this.id
`;

const faultsOf = (text: string) => {
  try {
    compileProvider(text);
  } catch (error) {
    if (error instanceof MappingError) return error.faults;
    throw error;
  }
  return [];
};

/** Names that the author of a document chooses. */
const free = new Set(['url', 'credential', 'ticket', 'default']);

interface Key {
  name: string;
  line: number;
  column: number;
  start: number;
}

function keysOf(text: string): Key[] {
  return [...text.matchAll(/^([ -]*)(\w+):/gm)].map(({ 1: before = '', 2: name = '', index }) => ({
    name,
    line: text.slice(0, index).split('\n').length,
    column: before.length + 1,
    start: index + before.length,
  }));
}

// "Faults point at the right line (an unknown operation points one line below)."
describe.each([
  ['behind its key', right],
  ['on the line below its key', right.replace(/^([ -]*)(\w+): (.+)$/gm, below)],
])('a document in which each value is %s', (_layout, text) => {
  it('has no fault', () => {
    expect(faultsOf(text)).toEqual([]);
  });

  it('has a fault at the line and column of each key that is misspelt', () => {
    const keys = keysOf(text).filter(({ name }) => !free.has(name));
    expect(keys.length).toBeGreaterThan(50);
    const missed = keys.filter(({ name, line, column, start }) => {
      const misspelt = `${text.slice(0, start)}zz_${text.slice(start)}`;
      return !faultsOf(misspelt).some(
        (fault) =>
          fault.line === line && fault.column === column && fault.message.includes(`zz_${name}`),
      );
    });
    expect(missed).toEqual([]);
  });

  it('has a fault at the key of an operation that does not exist', () => {
    for (const [id, wrong] of [
      ['ticketing_get_ticket', 'ticketing_get_tickets'],
      ['ticketing_get_ticket', 'edr_get_endpoint'],
      ['ticketing_list_notes', 'ticketing_list_notez'],
      ['ticketing_list_notes', 'ticketing_get_ticket'],
    ] as const) {
      const place = keysOf(text).find(({ name }) => name === id);
      expect([wrong, faultsOf(text.replace(`${id}:`, `${wrong}:`))]).toMatchObject([
        wrong,
        [
          {
            message: expect.stringContaining(`"${wrong}"`),
            line: place?.line,
            column: place?.column,
          },
        ],
      ]);
    }
  });
});

/** Writes a value on a line of its own, below its key. */
function below(_whole: string, before: string, key: string, value: string): string {
  return `${before}${key}:\n${' '.repeat(before.length + 2)}${value}`;
}

// "… become sentences."
it.each([
  [
    'rows: this.steps.list.items.zip(this.steps.owners)',
    'rows:',
    'rows is empty',
    'Write a text, or true or false, or a number.',
  ],
  [
    'rows: this.steps.list.items.zip(this.steps.owners)',
    'rows: ""',
    'an expression is expected here',
    expect.stringContaining('a query is an expression, such as this.b'),
  ],
  [
    'kind: offset',
    'kind: ofset',
    'kind must be one of offset, page, token, link, keyset',
    'Did you mean offset?',
  ],
  ['size: 100', 'size: many', 'size must be a whole number, and is a text', undefined],
  [
    '- path: /tickets/{this.path.ticketId}',
    '- 5',
    'steps[0] must be a mapping with keys, and is a whole number',
    undefined,
  ],
  ['attempts: 2', 'attempts: 200', expect.stringMatching(/^attempts must be <= \d+$/), undefined],
])('%s as %s is refused in a sentence', (before, after, message, hint) => {
  const text = right.replace(before, after);
  const { line } = { line: right.slice(0, right.indexOf(before)).split('\n').length };
  const [fault] = faultsOf(text);
  expect(fault).toMatchObject({ message, line });
  expect(fault?.hint).toEqual(hint);
});

it('a number is an expression where an address is expected, as the schema says', () => {
  const { baseUrl } = compileProvider(right.replace('base_url: this.config.url', 'base_url: 5'));
  expect(baseUrl({})).toBe(5);
});
