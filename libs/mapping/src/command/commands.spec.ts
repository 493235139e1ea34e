import { describe, expect, it } from '@jest/globals';
import { check, run, test } from './commands.js';

const document =
  'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.a = this.a.uppercase()\n';

function outputs() {
  const [out, err]: [string[], string[]] = [[], []];
  return {
    out,
    err,
    output: {
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
    },
  };
}
async function* lines(...all: string[]) {
  yield* all;
}

describe('mapping run', () => {
  it('maps line by line, goes on after a failure, and ends with 1 for it', async () => {
    const { out, err, output } = outputs();
    const code = await run(
      document,
      lines('{"a":"x"}', '{"a":1}', '', 'nonsense', '{"a":"y"}'),
      {},
      output,
    );
    expect(code).toBe(1);
    expect(out).toEqual(['{"a":"X"}', '{"a":"Y"}']);
    expect(err[0]).toBe(
      'input line 2: line 4, column 21 in template default, root.a: expected string, got number 1 (this.a)',
    );
    expect(err[1]).toMatch(/^input line 4: /);
  });

  it('gives metadata to documents too', async () => {
    const { out, output } = outputs();
    const source =
      'engine: bloblang_direct\nversion: "1.0"\ntemplates: { default: root.a = @tenant }\n';
    await run(source, lines('{}'), { metadata: { tenant: 'acme' } }, output);
    expect(out).toEqual(['{"a":"acme"}']);
  });

  it('takes an expression, metadata, and prints raw', async () => {
    const { out, output } = outputs();
    expect(
      await run(
        '@who + " " + this.a',
        lines('{"a":"x"}'),
        { raw: true, metadata: { who: 'me' } },
        output,
      ),
    ).toBe(0);
    expect(out).toEqual(['me x']);
  });

  it('says where a template is wrong', async () => {
    const { err, output } = outputs();
    expect(await run('root.a = this.nope()', lines(), {}, output)).toBe(2);
    expect(err[0]).toContain("line 1, column 21: unrecognised method 'nope'");
    expect(check('root.a = ', outputs().output)).toBe(2);
    expect(check(document, outputs().output)).toBe(0);
  });
});

describe('mapping test', () => {
  it('runs the cases beside a document', () => {
    const { out, err, output } = outputs();
    const cases = `
- {name: shouts, input: {a: x}, output: {a: X}}
- {name: refuses, input: {a: 1}, error: expected string}
- {name: wrong, input: {a: x}, output: {a: Y}}
`;
    expect(test(document, cases, output)).toBe(1);
    expect(out).toEqual(['ok   shouts', 'ok   refuses', '2 passed, 1 failed']);
    expect(err).toEqual(['FAIL wrong: expected {"a":"Y"}, got {"a":"X"}']);
  });
});

describe('mapping test', () => {
  it('says in which way a case differs', () => {
    const { out, err, output } = outputs();
    const cases = `
- {input: {a: 1}, output: {a: 1}}
- {input: {a: x}, error: nothing}
- {input: {a: 1}, error: other}
- {input: {a: x}, deleted: true}
`;
    expect(test(document, cases, output)).toBe(1);
    expect(err).toEqual([
      expect.stringContaining('FAIL case 1: line 4, column 21 in template default'),
      'FAIL case 2: expected an error with "nothing", got {"a":"X"}',
      expect.stringMatching(
        /^FAIL case 3: expected an error with "other", got: line 4, column 21 in template default/,
      ),
      'FAIL case 4: expected it to be dropped, got {"a":"X"}',
    ]);
    expect(out).toEqual(['0 passed, 4 failed']);
  });

  it.each([
    [
      'a malformed document',
      'engine: bloblang_direct\nversion: "1.0"\ntemplates: { default: root = = 1 }\n',
      '- {input: 1}',
    ],
    ['cases that are no YAML', document, '- [}'],
    ['cases that are no list', document, 'input: 1'],
    ['a case without an input', document, '- {output: 1}'],
  ])('says what is wrong with %s, without a stack', (_what, source, cases) => {
    const { out, err, output } = outputs();
    expect(test(source, cases, output)).toBe(2);
    expect(err).toEqual([expect.stringMatching(/^(?:line 3, column|the cases are not)/)]);
    expect(out).toEqual([]);
  });

  it('knows documents that are dropped', () => {
    const { out, err, output } = outputs();
    const cases = `
- {input: 1, deleted: true}
- {input: 1, output: 1}
- {input: 1, error: some}
`;
    expect(test('root = deleted()', cases, output)).toBe(1);
    expect(out).toEqual(['ok   case 1', '1 passed, 2 failed']);
    expect(err).toEqual([
      'FAIL case 2: it was dropped',
      'FAIL case 3: expected an error with "some", got nothing',
    ]);
  });
});
