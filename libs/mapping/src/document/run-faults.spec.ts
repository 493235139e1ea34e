import { describe, expect, it } from '@jest/globals';
import { compileDocument, compileTemplate, type DocumentOptions, type Value } from '../index.js';

const head = 'engine: bloblang_direct\nversion: "1.0"\n';

interface Failing {
  document: string;
  input: Value;
  options?: DocumentOptions;
}

/** The message of a failure, by closures and by generated code. */
function messagesOf({ document, input, options = {} }: Failing): string[] {
  const shared = (name: string) =>
    name === 'acme.user' ? compileTemplate('root.name = this.name.uppercase()') : undefined;
  return [Infinity, 0].map((generateAfter) => {
    const source = `${head}${document}`;
    const compiled = compileDocument(source, { name: 'jira-tickets.yaml', shared, generateAfter });
    try {
      compiled.run(input, options);
    } catch (error) {
      return (error as Error).message;
    }
    return 'it does not fail';
  });
}

const template = (...lines: string[]) =>
  `templates:\n  default: |\n${lines.map((line) => `    ${line}\n`).join('')}`;

describe('a document that fails', () => {
  it.each<[string, Failing, string]>([
    [
      'the field that is assigned, and the expression of the wrong type',
      {
        document: template('root.id = this.id', 'root.email = this.profile.email.lowercase()'),
        input: { id: 1 },
      },
      'jira-tickets.yaml:6:18 in template default, root.email: expected string, got null (this.profile.email). Another value for null is written .or("").',
    ],
    [
      'a scalar of the wrong type with its value',
      { document: template('root.id = this.id.uppercase()'), input: { id: 7 } },
      'jira-tickets.yaml:5:15 in template default, root.id: expected string, got number 7 (this.id)',
    ],
    [
      'the key of an object',
      {
        document: template('root.user = {', '  "a": {"b": this.x + 1}', '}'),
        input: { x: 'y' },
      },
      'jira-tickets.yaml:6:18 in template default, root.user.a.b: cannot add types string and number (this.x + 1)',
    ],
    [
      'the element of a list',
      { document: template('root.l = this.l.map_each(x -> x.trim())'), input: { l: ['a', null] } },
      'jira-tickets.yaml:5:35 in template default, root.l: failed to process element 1: expected string, got null (x). Another value for null is written .or("").',
    ],
    [
      'null in arithmetic',
      { document: template('root.n = 1 + this.n'), input: {} },
      'jira-tickets.yaml:5:14 in template default, root.n: cannot add types number and null (1 + this.n). Another value for null is written .or(0).',
    ],
    [
      'null in a condition',
      { document: template('if this.a { root.a = 1 }'), input: {} },
      'jira-tickets.yaml:5:5 in template default: resolved to a non-boolean value (null). Another value for null is written .or(false).',
    ],
    [
      'a null for which there is no usual value',
      { document: template('root.a = this.a > this.b'), input: {} },
      'jira-tickets.yaml:5:14 in template default, root.a: cannot compare types null and null (this.a > this.b). Another value for null is written .or(…).',
    ],
    [
      'no remedy beside a text that a template throws',
      { document: template('root.a = throw("expected string, got null")'), input: {} },
      'jira-tickets.yaml:5:14 in template default, root.a: expected string, got null',
    ],
    [
      'the last of the alternatives, and not those that were caught',
      { document: template('root.a = this.a.trim() | $b', 'let b = 1'), input: {} },
      "jira-tickets.yaml:5:30 in template default, root.a: variable 'b' undefined ($b)",
    ],
    [
      'a condition',
      { document: template('if this.a > 0 {', '  root.a = 1', '}'), input: { a: 'x' } },
      'jira-tickets.yaml:5:8 in template default: cannot compare types string and number (this.a > 0)',
    ],
    [
      'a statement in a condition, once',
      { document: template('if this.a {', '  let n = this.b.number()', '}'), input: { a: true } },
      'jira-tickets.yaml:6:15 in template default, $n: expected number, got null (this.b). Another value for null is written .or(0).',
    ],
    [
      'a target that is not an object',
      { document: template('root.a = 1', 'root.a.b = 2'), input: {} },
      'jira-tickets.yaml:6:16 in template default, root.a.b: unable to set target path a.b as the value of a was a non-object type (number)',
    ],
    [
      'a template that another applies, and where',
      {
        document: `${template('root.s = this.s.apply("status")')}  status: |\n    root.n = this.n.floor()\n`,
        input: { s: { n: 'x' } },
      },
      'jira-tickets.yaml:7:14 in template status, root.n: expected number, got string "x" (this.n), ' +
        'applied by jira-tickets.yaml:5:14 in template default, root.s',
    ],
    [
      'a map of the template',
      {
        document: template(
          'map m {',
          '  root.n = this.n.floor()',
          '}',
          'root.s = this.s.apply("m")',
        ),
        input: { s: { n: 'x' } },
      },
      'jira-tickets.yaml:6:16 in template default, root.n: expected number, got string "x" (this.n), ' +
        'applied by jira-tickets.yaml:8:14 in template default, root.s',
    ],
    [
      'a cast',
      { document: template('root.s = this.s.apply("number")'), input: { s: {} } },
      'jira-tickets.yaml:5:14 in template default, root.s: expected number, got object (this.s)',
    ],
    [
      'a data type',
      {
        document: `${template('root.at = this.at.apply("when")')}data_types:\n  when: { transform: this.ts_unix() }\n`,
        input: { at: {} },
      },
      'jira-tickets.yaml:7:22 in data type when, root: expected timestamp, got object (this), ' +
        'applied by jira-tickets.yaml:5:15 in template default, root.at',
    ],
    [
      'a shared template, with its own lines',
      { document: template('root.u = this.u.apply("acme.user")'), input: { u: {} } },
      'line 1, column 13 in shared template acme.user, root.name: expected string, got null (this.name), ' +
        'applied by jira-tickets.yaml:5:14 in template default, root.u. Another value for null is written .or("").',
    ],
    [
      'the match of a select',
      {
        document: `${template('root = this')}  b: root = this\nselect:\n  - { name: b, match: this.a > 1 }\n`,
        input: { a: 'x' },
      },
      'jira-tickets.yaml:8:23 in template b, select.match: cannot compare types string and number (this.a > 1)',
    ],
    [
      'the statement that exceeds a limit',
      {
        document: template('root.a = 1', 'root.b = range(0, 100000).length()'),
        input: {},
        options: { limits: { fuel: 1_000 } },
      },
      'jira-tickets.yaml:6:14 in template default, root.b: the template takes more than 1000 steps',
    ],
    [
      'what a template throws, alone',
      { document: template('root.a = throw("no owner")'), input: {} },
      'jira-tickets.yaml:5:14 in template default, root.a: no owner',
    ],
  ])('names %s', (_what, failing, message) => {
    expect(messagesOf(failing)).toEqual([message, message]);
  });

  it('is named by the run, where one text belongs to several', () => {
    const document = compileDocument(`${head}${template('root.a = this.a.trim()')}`);
    const messageOf = (options?: DocumentOptions) => {
      try {
        document.run({}, options);
      } catch (error) {
        return (error as Error).message;
      }
      throw new Error('it does not fail');
    };
    expect(messageOf({ name: 'devices' })).toContain('devices:5:14 in template default, root.a: ');
    expect(messageOf()).toContain('line 5, column 14 in template default, root.a: ');
  });

  it('names the statement where the expression is not found: it fails differently when it is run again', () => {
    let calls = 0;
    const surroundings = { now: () => 0, random: () => (calls += 1) / 1_000 };
    const source = `${head}${template('root.a = 1', 'root.b = throw(random_int().string())')}`;
    let message = '';
    try {
      compileDocument(source, { name: 'a.yaml' }).run({}, { surroundings });
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(calls).toBe(2);
    expect(message).toMatch(/^a\.yaml:6:14 in template default, root\.b: \d+$/);
  });

  it('is run again with the steps that it has left, and no more', () => {
    const lines = ['root.a = range(0, 600).map_each(n -> n + 1)', 'root.b = this.b.trim()'];
    const source = `${head}${template(...lines)}`;
    const run = (fuel: number) => {
      try {
        compileDocument(source).run({}, { limits: { fuel } });
      } catch (error) {
        return (error as Error).message;
      }
      throw new Error('it does not fail');
    };
    const statement = 'line 6, column 14 in template default, root.b: ';
    expect(run(2_500)).toBe(
      `${statement}expected string value, got null. Another value for null is written .or("").`,
    );
    expect(run(100_000)).toBe(
      `${statement}expected string, got null (this.b). Another value for null is written .or("").`,
    );
  });
});
