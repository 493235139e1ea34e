import { describe, expect, it } from '@jest/globals';
import { MappingError } from '@onefold/mapping';
import { compileProvider } from './compile-provider.js';

const right = `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
configuration: { properties: { url: { type: string } } }
credentials:
  credential: { token: { send: header, name: x-key, value: this.credential.secret } }
http: { base_url: this.config.url }
errors:
  - when: this.body.error != null
    status: 400
operations:
  ticketing_query_tickets:
    page: { kind: offset, size: 100, count: this.body.items.length() }
    steps:
      - name: list
        path: /tickets
        query: |
          root.offset = this.page.offset
          root.since = this.filters.filter(one -> one.field == "updated_at").index(0).value
        checks: [{ that: this.status == 200, status: 404, message: this.body.error.or("missing") }]
      - name: owners
        each: this.steps.list.items
        path: /users/{this.item.owner}
    rows: this.steps.list.items.zip(this.steps.owners)
    fields: { updated_at: { type: datetime } }
    order: updated_at[desc]
  ticketing_get_ticket:
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
  ticketing_create_ticket:
    steps: [{ method: POST, path: /tickets, body: 'root = this.body' }]
    record: this.steps.call
`;

function faultsOf(text: string) {
  try {
    compileProvider(text);
  } catch (error) {
    if (error instanceof MappingError) return error.faults;
    throw error;
  }
  return [];
}

/** "Names that cannot exist are refused when the document is checked." */
describe('an expression of a provider document', () => {
  it('may read the names that exist at its place', () => {
    expect(faultsOf(right)).toEqual([]);
  });

  it.each([
    ['a step', 'zip(this.steps.owners)', 'or(this.steps.lst)', 'lst', 'this.steps.lst', 'list'],
    [
      'a step that runs later',
      'since = this',
      'since = this.steps.owners',
      'owners',
      'this.steps.owners',
      'no fields',
    ],
    [
      'an answer',
      'or("missing")',
      'or(this.answers.owners.status)',
      'owners',
      'this.answers.owners',
      'no fields',
    ],
    [
      'a part of an answer',
      'zip(this.steps.owners)',
      'or(this.answers.list.header)',
      'header',
      'this.answers.list.header',
      'headers',
    ],
    ['a name of this', 'this.config.url', 'this.cfg.url', 'cfg', 'this.cfg', 'config'],
    ['a configuration', 'this.config.url', 'this.config.ulr', 'ulr', 'this.config.ulr', 'url'],
    [
      'a path parameter',
      'this.path.ticketId',
      'this.path.ticketID',
      'ticketID',
      'this.path.ticketID',
      'ticketId',
    ],
    ['a page', 'this.page.offset', 'this.page.number', 'number', 'this.page.number', 'offset'],
    [
      'an item without each',
      '/tickets/{this.path.ticketId}',
      '/tickets/{this.item.id}',
      'item',
      'this.item',
      'path',
    ],
    [
      'a response before there is one',
      "'root = this.body'",
      "'root = this.status'",
      'status',
      'this.status',
      'body',
    ],
    [
      'the path in a check of all responses',
      'this.body.error != null',
      'this.path.id != null',
      'path',
      'this.path',
      'body',
    ],
  ])('cannot read %s that does not exist', (_name, before, after, at, what, hint) => {
    const text = right.replace(before, after);
    expect(text).not.toBe(right);
    const offset = text.indexOf(at, text.indexOf(after));
    const lines = text.slice(0, offset).split('\n');
    const faults = faultsOf(text);
    expect(faults).toEqual([
      {
        message: `${what} does not exist here`,
        line: lines.length,
        column: (lines.at(-1) ?? '').length + 1,
        hint: expect.stringContaining(hint) as unknown as string,
      },
    ]);
  });

  describe('that uses the result of a step with `when`', () => {
    const withWhen = (owners: string, rest = '') =>
      right
        .replace('- name: owners\n', `- name: owners\n        when: this.query.limit == 1\n`)
        .replace('this.steps.list.items.zip(this.steps.owners)', owners)
        .replace('    fields: {', `${rest}    fields: {`);

    it.each([
      ['as it is', 'this.steps.owners'],
      ['with a method', 'this.steps.owners.map_each(one -> one.id)'],
      ['as the target of a method in a list', '([this.steps.owners.length()])'],
    ])('is refused %s, because it may be null', (_name, rows) => {
      const text = withWhen(rows);
      const before = text.slice(0, text.indexOf(rows) + rows.indexOf('owners')).split('\n');
      expect(faultsOf(text)).toMatchObject([
        {
          message: 'this.steps.owners is null where its `when` leaves the step out',
          hint: expect.stringContaining('.or(') as unknown,
          line: before.length,
          column: (before.at(-1) ?? '').length + 1,
        },
      ]);
    });

    it.each([
      ['a test', 'if this.steps.owners != null { this.steps.owners.zip([]) } else { [] }'],
      ['a default', 'this.steps.owners | []'],
      ['a default behind a method', 'this.steps.owners.map_each(one -> one.id).or([])'],
      ['its own condition', 'if this.query.limit == 1 { this.steps.owners.zip([]) } else { [] }'],
      ['a method of null', '([this.steps.owners.string()])'],
    ])('may use it with %s', (_name, rows) => {
      expect(faultsOf(withWhen(rows))).toEqual([]);
    });

    it('may use it in steps that test it, and in those that test these', () => {
      const steps = (condition: string) =>
        right.replace(
          '    rows:',
          `${[
            "      - { name: one, when: '1 == 2', path: /one }",
            "      - { name: two, when: 'this.steps.one != null', path: '/{this.steps.one.id}' }",
            `      - { name: three, ${condition}, path: '/{this.steps.one.id}' }`,
          ].join('\n')}\n    rows:`,
        );
      expect(faultsOf(steps("when: 'this.steps.two != null'"))).toEqual([]);
      expect(faultsOf(steps("when: '1 == 2'"))).toEqual([]);
      expect(faultsOf(steps('method: GET'))).toHaveLength(1);
    });
  });

  it('is checked behind braces of its own in a path', () => {
    const path = (name: string) =>
      right.replace(
        '{this.path.ticketId}',
        `{[1].map_each({"a": this}).length()}/{this.path.${name}}`,
      );
    expect(faultsOf(path('ticketId'))).toEqual([]);
    const before = path('ticketID').split('ticketID}')[0]?.split('\n') ?? [];
    expect(faultsOf(path('ticketID'))).toMatchObject([
      {
        line: before.length,
        column: (before.at(-1) ?? '').length + 1,
        message: 'this.path.ticketID does not exist here',
      },
    ]);
  });

  it('may hide a name behind the parameter of a lambda', () => {
    expect(
      faultsOf(
        right.replace('this.steps.list.items\n', 'this.steps.list.items.map_each(cfg -> cfg.id)\n'),
      ),
    ).toEqual([]);
  });
});

/** "An unknown order is refused when the document is checked." */
it('a default order of an unknown field is refused', () => {
  expect(faultsOf(right.replace('order: updated_at', 'order: changed_at'))).toMatchObject([
    { message: 'cannot be ordered by "changed_at"', line: 27 },
  ]);
});
