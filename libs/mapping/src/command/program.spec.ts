import { describe, expect, it } from '@jest/globals';
import { program } from './program.js';

const document =
  'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.a = this.a.uppercase()\n';
const files: Record<string, string> = {
  'm.yaml': document,
  'm.cases.yaml': '- {input: {a: x}, output: {a: X}}\n',
  'other.yaml': '- {name: never, input: {a: x}, deleted: true}\n',
  'a.blobl': 'root.a =  this.a',
  'wrong.blobl': 'root.a = ',
  'doubtful.blobl': 'root.a = this.b.length',
  'provider.yaml': 'provider: acme\nmappings:\n  a:\n    engine: bloblang_direct\noperations: {}\n',
  'wrong.yaml':
    'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.a = 1.nope()\n',
  'wrong.cases.yaml': '- {input: 1}\n',
  'meta.yaml':
    'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n    root.a = this.a\n    root.who = @who\n',
};

async function* given(lines: readonly string[]) {
  yield* lines;
}

async function call(args: string[], ...lines: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  let prompts = 0;
  const written: Record<string, string> = {};
  const code = await program(args, {
    program: 'mapping',
    lines: given(lines),
    read: (file) => written[file] ?? files[file],
    write: (file, text) => void (written[file] = text),
    prompt: () => void (prompts += 1),
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  });
  return { code, out, err, prompts, written };
}

describe('the command line', () => {
  it('checks a template that means something else than it says with a warning', async () => {
    const { code, err } = await call(['check', 'doubtful.blobl']);
    expect(code).toBe(1);
    expect(err.join('\n')).toBe(
      'doubtful.blobl:1:17: .length is read as a field of that name\n  |\n1 | root.a = this.b.length\n  |                 ^\nDid you mean .length()? Write ."length" for a field of that name.',
    );
  });

  it.each([['fmt'], ['lint']])(
    'says of a provider document to %s what checks it, and leaves it',
    async (command) => {
      const { code, err, written } = await call([command, 'provider.yaml']);
      expect([code, written]).toEqual([2, {}]);
      expect(err).toEqual([
        expect.stringMatching(
          /^provider\.yaml: this is a document of a provider, and no mapping: .*provider -- check/,
        ),
      ]);
    },
  );

  it('runs expressions, templates and documents', async () => {
    expect(
      await call(['run', '-e', '@who + this.a', '--raw', '--meta', 'who=a=b'], '{"a":"x"}'),
    ).toMatchObject({ code: 0, out: ['a=bx'] });
    expect(await call(['run', '-f', 'm.yaml', '--pretty'], '{"a":"x"}')).toMatchObject({
      code: 0,
      out: ['{\n  "a": "X"\n}'],
    });
    expect(await call(['run', '-e', 'root = deleted()'], '1')).toMatchObject({ code: 0, out: [] });
    expect(await call(['run', '--raw', '-e', 'root = "a".bytes()'], '1')).toMatchObject({
      out: ['a'],
    });
  });

  it('checks and tests files', async () => {
    expect(await call(['check', 'm.yaml'])).toMatchObject({ code: 0, err: [] });
    expect(await call(['check', 'wrong.blobl'])).toMatchObject({ code: 2 });
    expect(await call(['test', 'm.yaml'])).toMatchObject({
      code: 0,
      out: ['ok   case 1', '1 passed, 0 failed'],
    });
    expect(await call(['test', 'm.yaml', 'other.yaml'])).toMatchObject({
      code: 1,
      err: ['FAIL never: expected it to be dropped, got {"a":"X"}'],
    });
  });

  it('says in a sentence, and with 2, what is wrong with a document', async () => {
    for (const command of ['check', 'test', 'lint'])
      expect(await call([command, 'wrong.yaml'])).toMatchObject({
        code: 2,
        out: [],
        err: [expect.stringMatching(/^wrong\.yaml:4:29: unrecognised method 'nope'\n/)],
      });
    const run = await call(['run', '-f', 'wrong.yaml'], '{}');
    expect(run).toMatchObject({ code: 2, out: [] });
  });

  it('gives metadata to documents, and names the file of one that fails', async () => {
    expect(await call(['run', '-f', 'meta.yaml', '--meta', 'who=ada'], '{"a":1}')).toMatchObject({
      code: 0,
      out: ['{"a":1,"who":"ada"}'],
    });
    expect(await call(['run', '-f', 'm.yaml'], '{"a":null}')).toMatchObject({
      code: 1,
      err: [
        'input line 1: m.yaml:4:21 in template default, root.a: expected string, got null (this.a). Another value for null is written .or("").',
      ],
    });
  });

  it('lays out files in place, standard input to standard output, and only looks with --check', async () => {
    expect(await call(['fmt', 'a.blobl', 'm.yaml'])).toMatchObject({
      code: 0,
      out: ['a.blobl'],
      written: { 'a.blobl': 'root.a = this.a\n' },
    });
    expect(await call(['fmt', '-'], '# note', 'root.a   = 1')).toMatchObject({
      code: 0,
      out: ['# note\nroot.a = 1'],
      written: {},
    });
    expect(await call(['fmt', '--check', 'm.yaml'])).toMatchObject({ code: 0, out: [] });
    expect(await call(['fmt', '--check', 'a.blobl', 'm.yaml'])).toMatchObject({
      code: 1,
      out: ['a.blobl is not laid out'],
      written: {},
    });
    expect(await call(['fmt', 'wrong.blobl', 'a.blobl'])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/^wrong\.blobl:1:10: an expression is expected here/)],
      written: { 'a.blobl': 'root.a = this.a\n' },
    });
  });

  it('answers line by line', async () => {
    const { code, out, err, prompts } = await call(
      ['repl'],
      'root.b = this.a',
      'input {"a": [1]}',
      '',
      'root.b = this.a',
      'root = deleted()',
      'root.a.b = this.a.uppercase()',
      'input {',
      'nothing()',
    );
    expect(code).toBe(0);
    expect(out).toEqual([
      '{\n  "b": null\n}',
      '{\n  "b": [\n    1\n  ]\n}',
      'deleted()',
      '{\n  "a": [\n    1\n  ]\n}',
    ]);
    expect(err[0]).toContain('expected string value, got array');
    expect(err[1]).toContain('JSON');
    expect(prompts).toBe(9);
  });

  it('shows its usage for --help, with --operation only where there is a contract', async () => {
    const { code, out } = await call(['--help']);
    expect(code).toBe(0);
    expect(out[0]).toContain('mapping <command>\n\n  run   -e');
    expect(out[0]).toContain('that nothing uses\n        --input FILE');
    const shown: string[] = [];
    await program(['-h'], {
      program: 'mapping',
      lines: given([]),
      read: () => undefined,
      write: () => undefined,
      prompt: () => undefined,
      out: (line) => void shown.push(line),
      err: () => undefined,
      outlineOf: () => null,
    });
    expect(shown[0]).toContain('that nothing uses\n        --operation ID  ');
  });

  it.each([
    [[], 'a command is missing'],
    [['walk'], 'there is no command walk'],
    [['run'], 'run needs -e or -f'],
    [['run', '--wat'], "Unknown option '--wat'"],
    [['run', '-e', 'this', '--meta', 'a'], '--meta a is not of the form key=value'],
    [['check'], 'check needs a file'],
    [['test'], 'test needs a file'],
    [['fmt', 'none.blobl'], 'none.blobl: there is no such file'],
    [['fmt'], 'fmt needs files, or - for standard input'],
    [['explain', 'm.yaml'], 'explain needs --input FILE and --field root.…'],
    [
      ['lint', 'm.yaml', '--operation', 'nothing'],
      '--operation needs the contract of the operations, which is in a checkout of Onefold',
    ],
    [['test', 'a.blobl'], 'a.cases.yaml: there is no such file'],
  ])('%j is refused with the way to write it', async (args, message) => {
    const { code, err } = await call(args);
    expect(code).toBe(2);
    expect(err.join('\n')).toContain(message);
  });

  it('says that a record is nested too deep, and goes on with the next one', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const { code, out, err } = await call(['run', '-e', 'root = this'], deep, '{"a":1}');
    expect([code, out, err]).toEqual([
      1,
      ['{"a":1}'],
      ['input line 1: templates or values are nested too deep'],
    ]);
    files['deep.json'] = deep;
    files['deep.yaml'] = document.replace('root.a = this.a.uppercase()', 'root = this');
    const flags = ['--input', 'deep.json', '--field'];
    const whole = await call(['explain', 'deep.yaml', ...flags, 'root']);
    expect([whole.code, whole.err]).toEqual([2, ['templates or values are nested too deep']]);
    const part = await call(['lint', 'deep.yaml', ...flags.slice(0, 2)]);
    expect([part.code, part.err]).toEqual([0, []]);
  });
});
