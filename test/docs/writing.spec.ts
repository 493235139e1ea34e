import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compileQuery, compileTemplate } from '@onefold/mapping';
import { applyPatch } from '#patch';
import { compileProvider, describeOperation } from '#provider-document';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/providers/writing.md', root), 'utf8');

const document = (operation: string) => `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
http: { base_url: '"https://acme.example"' }
operations:
  ticketing_get_ticket:
    steps: [{ path: /one }]
    ${operation}
`;

/** Messages of the table that a document or a template provokes. */
const provoked: Record<string, () => unknown> = {
  'expected a colon after the key': () => compileQuery('{"a" + "b": 1}'),
  'an operation can have only one of rows, record, result and then': () =>
    compileProvider(
      document('record: this.steps.call\n    then: { operation: ticketing_get_ticket }'),
    ),
  'this.page does not exist here': () => compileProvider(document('record: this.page')),
  "variable 'x' undefined": () =>
    compileTemplate('let x = if this.a { 1 }\nroot = $x').run({ a: false }),
};

/** Messages of the kit, and notes in responses, whose specs provoke them; here only their words are compared. */
const sources = ['apps/provider-kit/src/', 'libs/connect/src/'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.spec.'))
    .map((name) => readFileSync(new URL(`${folder}${name}`, root), 'utf8')),
);
const wordsOf: Record<string, string> = {
  'the case pages is missing': 'the case ${one} is missing',
  'the case missing_2 is missing': 'missing_${at}',
  "401 is missing; record the provider's response":
    "${status} is missing; record the provider's response",
  'value-not-kept': "'value-not-kept'",
  'field-not-written': "'field-not-written'",
};

describe('the messages of docs/providers/writing.md', () => {
  const table = page.slice(page.indexOf('| Message'), page.indexOf('## Expressions'));
  const messages = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message);

  it('are all known here', () => {
    expect(messages.toSorted()).toEqual(
      [...Object.keys(provoked), ...Object.keys(wordsOf)].toSorted(),
    );
  });

  it.each(Object.entries(provoked))('say %s', (message, provoke) => {
    expect(provoke).toThrow(message);
  });

  it.each(Object.entries(wordsOf))('say %s', (_message, words) => {
    expect(sources.some((text) => text.includes(words))).toBe(true);
  });

  it('name the line of the document where a mapping fails at run time', () => {
    const [, example = ''] = /at run time: `([^`]+)`/.exec(page) ?? [];
    const { operations } = compileProvider(
      `${document('response: ticket\n    record: this.steps.call').trimEnd()}
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'

    templates:
      default: |
        root.id = this.id
        root.name = this.name.uppercase()
`,
    );
    const run = () => operations.get('ticketing_get_ticket')?.response?.run({ id: '1' });
    expect(run).toThrow(example);
  });
});

describe('the mapping of writes in docs/providers/writing.md', () => {
  const writes = page.slice(page.indexOf('## Writes'), page.indexOf('## Pages'));
  const [, mapping = ''] = /```yaml\n([\s\S]*?)```/.exec(writes) ?? [];
  const operation = compileProvider(
    `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
http: { base_url: '"https://acme.example"' }
operations:
  ticketing_create_ticket:
    request: ticket
    steps: [{ method: POST, path: /tickets }]
    record: this.steps.call
mappings:
  ticket:
${mapping.replace(/^(?=.)/gm, '    ')}`,
  ).operations.get('ticketing_create_ticket')!;
  const rows = [...writes.matchAll(/^\| `([^|]+)` +\| `([^|]+)` +\| (.*?) +\|$/gm)];
  const current = { name: 'a', summary: 'a' };

  it('has a row of each kind', () => expect(rows).toHaveLength(4));

  it.each(rows.map(([, sent = '', becomes = '', named = '']) => [sent, becomes, named]))(
    'makes of %s %s',
    (text, becomes, named) => {
      const sent = JSON.parse(text) as Record<string, unknown>;
      const isPatch = Array.isArray(sent);
      const record = isPatch ? applyPatch(current, sent) : sent;
      const metadata = isPatch ? { before: current } : {};
      expect(operation.request?.run(record, { metadata })?.record).toEqual(JSON.parse(becomes));
      const { unwritten = [], leavesUnread = () => false } = describeOperation(operation);
      const fields = Object.entries(record).flatMap(([field, value]) =>
        unwritten.includes(field)
          ? [`/${field}`]
          : Object.keys(field === 'custom_fields' ? (value as object) : {})
              .filter((name) => leavesUnread([field, name]))
              .map((name) => `/${field}/${name}`),
      );
      expect(named.replaceAll('`', '').trim()).toBe(fields.join(', '));
    },
  );
});
