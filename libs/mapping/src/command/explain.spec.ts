import { describe, expect, it } from '@jest/globals';
import { compileTemplate } from '../index.js';
import { explain, type ExplainFlags } from './explain.js';
import { lint } from './lint.js';

const document = `engine: bloblang_direct
version: "1.0"
templates:
  default: |
    root = this
    let user = this.user
    root.id = this.id
    root.user = {"name": $user.name.uppercase(), "mail": $user.mail}
    if this.open {
      root.status = this.status.apply("status")
    }
    root.tags = this.tags.map_each(t -> t.trim())
  status: |
    root.id = this.id
    root.name = this.name.apply("acme.name") | "unknown"
`;
const record = {
  id: 7,
  user: { name: 'ada', mail: 'a@b.c' },
  open: true,
  status: { id: 1, name: 'new' },
  tags: [' a', 'b ', 'c', 'd', 'e'],
};
const shared = (name: string) =>
  name === 'acme.name' ? compileTemplate('root = this.uppercase()') : undefined;

function call(flags: Partial<ExplainFlags>, source = document) {
  const [out, err]: [string[], string[]] = [[], []];
  const output = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
  };
  const code = explain(
    'm.yaml',
    source,
    { input: JSON.stringify(record), field: 'root', ...flags },
    { ...output, shared },
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('mapping explain', () => {
  it('shows the lines that made a field, with variables, and the values of their expressions', () => {
    const { code, out } = call({ field: 'root.user.name' });
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'root.user.name = "ADA"',
        '',
        'm.yaml:5:5 in template default',
        '  root = this',
        '',
        'm.yaml:6:5 in template default',
        '  let user = this.user',
        '    this.user = {"mail":"a@b.c","name":"ada"}',
        '',
        'm.yaml:8:5 in template default',
        '  root.user = {"name": $user.name.uppercase(), "mail": $user.mail}',
        '    $user = {"mail":"a@b.c","name":"ada"}',
        '    $user.name = "ada"',
        '    $user.name.uppercase() = "ADA"',
      ].join('\n'),
    );
  });

  it('goes through conditions and templates that are applied, shared ones too', () => {
    const { out } = call({ field: 'root.status.name' });
    expect(out).toBe(
      [
        'root.status.name = "NEW"',
        '',
        'm.yaml:5:5 in template default',
        '  root = this',
        '',
        'm.yaml:9:5 in template default',
        '  if this.open {',
        '    this.open = true',
        '',
        'm.yaml:10:7 in template default',
        '  root.status = this.status.apply("status")',
        '    this.status = {"id":1,"name":"new"}',
        '    this.status.apply("status") = {"id":1,"name":"NEW"}',
        '',
        '  m.yaml:15:5 in template status',
        '    root.name = this.name.apply("acme.name") | "unknown"',
        '      this.name = "new"',
        '      this.name.apply("acme.name") = "NEW"',
        '      this.name.apply("acme.name") | "unknown" = "NEW"',
        '',
        '    line 1 in shared template acme.name',
        '      root = this.uppercase()',
        '        this.uppercase() = "NEW"',
      ].join('\n'),
    );
  });

  it('shows the first values of a loop', () => {
    const { out } = call({ field: 'root.tags' });
    expect(out.match(/t\.trim\(\) = /g)).toHaveLength(3);
    expect(out).toContain('    …');
  });

  it('says when nothing assigns the field, when the record is dropped, and when the run fails', () => {
    const only = (body: string) =>
      `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: ${body}\n`;
    expect(call({ field: 'root.x' }, only('root.id = 1'))).toEqual({
      code: 1,
      out: 'root.x = not there',
      err: 'no line that ran assigns root.x',
    });
    expect(call({ field: 'root.x' }, only('root = deleted()')).out).toContain(
      'the record is dropped: deleted() was assigned to root',
    );
    const failed = call({ field: 'root.x' }, only('root.x = this.user.name.floor()'));
    expect(failed.code).toBe(1);
    expect(failed.err).toBe(
      'm.yaml:4:21 in template default, root.x: expected number, got string "ada" (this.user.name)',
    );
    expect(failed.out).toContain('this.user.name = "ada"');
  });

  it.each([
    [{ field: '1 +' }, document, '--field 1 + is not a path such as root.user.name'],
    [{ input: '{' }, document, 'the input is not JSON: '],
    [{}, 'root.a = 1', 'm.yaml is not a mapping document'],
    [{}, document.replace('this.id', 'this.)'), 'm.yaml:7:'],
  ])('refuses %j', (flags, source, message) => {
    const { code, err } = call(flags, source);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('mapping lint', () => {
  const source =
    'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.a = this.a\n';
  const outlineOf = (id: string) =>
    id === 'free'
      ? null
      : id === 'known'
        ? { names: ['b'], required: [], inside: () => undefined }
        : undefined;
  const callLint = (flags: Parameters<typeof lint>[2], text = source) => {
    const [out, err]: [string[], string[]] = [[], []];
    const output = {
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
    };
    return { code: lint('m.yaml', text, flags, { ...output, outlineOf }), out, err };
  };

  it('ends with 0 without warnings, with 1 and a place and remedy for each, with 2 for what is wrong', () => {
    expect(callLint({})).toEqual({ code: 0, out: [], err: [] });
    expect(callLint({ operation: 'known' })).toMatchObject({
      code: 1,
      err: [
        'm.yaml:4:12: root.a is not a field of known\n  |\n4 |   default: root.a = this.a\n  |            ^\nDid you mean b?',
      ],
    });
    expect(callLint({ operation: 'free' })).toMatchObject({
      code: 0,
      out: ['the records of free are free: their fields are not checked'],
    });
    expect(callLint({ operation: 'none' })).toMatchObject({
      code: 2,
      err: ['there is no operation none: --operation takes an id such as ticketing_query_tickets'],
    });
    expect(callLint({ input: '{' })).toMatchObject({ code: 2 });
    expect(callLint({}, `${source}x: 1\n`)).toMatchObject({ code: 2 });
  });

  it('takes one record, a list, or one on each line', () => {
    for (const input of ['{"b": 1}', '[{"a": 1}, {"b": 1}]', '{"a": 1}\n{"b": 1}\n'])
      expect(callLint({ input })).toMatchObject({
        code: 1,
        err: [expect.stringContaining('nothing reads this.b of the input')],
      });
  });
});
