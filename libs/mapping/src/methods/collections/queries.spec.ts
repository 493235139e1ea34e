import { describe, expect, it } from '@jest/globals';
import { compileTemplate, LimitError } from '../../index.js';
import { cpuTimeOf } from '../../../../../test/mapping-oracle/cpu-time.js';
import { schemaFaults } from '../documents/json-schema.js';

const run = (template: string, input: unknown) => compileTemplate(template).run(input).root;
const check = (schema: unknown, value: unknown) =>
  run('root = this.value.json_schema(this.schema)', { value, schema: JSON.stringify(schema) });

function soon(work: () => void): void {
  expect(cpuTimeOf(work)).toBeLessThan(5_000);
}

describe('json_schema', () => {
  it('ends a schema that grows with every reference, which templates cannot catch', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_one, index) => [
        `d${index}`,
        {
          allOf: [{ $ref: `#/definitions/d${index + 1}` }, { $ref: `#/definitions/d${index + 1}` }],
        },
      ]),
    );
    const schema = { definitions: { ...definitions, d40: {} }, $ref: '#/definitions/d0' };
    soon(() => expect(() => check(schema, 1)).toThrow(LimitError));
  });

  it.each([
    ['of the schema', { definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' }, 'x', 1],
    [
      'of a field',
      { definitions: { a: { type: 'string' } }, properties: { x: { $ref: '#/definitions/a' } } },
      { x: 'y' },
      { x: 1 },
    ],
    [
      'by an address relative to that of the schema',
      {
        $id: 'https://acme.test/one.json',
        definitions: { a: { $id: 'a.json', type: 'string' } },
        properties: { x: { $ref: 'a.json' } },
      },
      { x: 'y' },
      { x: 1 },
    ],
    [
      'to all of a schema with an address',
      {
        $id: 'https://acme.test/one.json',
        properties: { x: { $ref: '#' }, y: { type: 'string' } },
      },
      { x: { y: 'z' } },
      { x: { y: 1 } },
    ],
    [
      'by a path',
      {
        definitions: { a: { $id: '/a.json', type: 'string' } },
        properties: { x: { $ref: '/a.json' } },
      },
      { x: 'y' },
      { x: 1 },
    ],
  ])('follows a reference %s', (_title, schema, good, bad) => {
    expect(check(schema, good)).toEqual(good);
    expect(() => check(schema, bad)).toThrow('expected: string, given: integer');
  });

  it('says which schema a reference does not find', () => {
    expect(() => check({ $ref: '#/definitions/a' }, 1)).toThrow(
      'no such schema #/definitions/a located in <schema:/>',
    );
  });

  it('takes linear time for patterns, and no format of long texts', () => {
    const hostile = `${'a'.repeat(50_000)}!`;
    soon(() => {
      expect(() => check({ pattern: '^(a+)+$' }, hostile)).toThrow('does not match pattern');
      expect(() => check({ format: 'email' }, hostile)).toThrow('is too long for format email');
    });
    expect(() => check({ pattern: '(?=a)' }, 'a')).toThrow('does not compile');
  });

  it('is refused when it is too long, too deep or none', () => {
    expect(() => check({ title: 'x'.repeat(70_000) }, 1)).toThrow('longer than 65536 characters');
    const deep = `${'{"not":'.repeat(8_000)}{}${'}'.repeat(8_000)}`;
    expect(() => run('root = this.v.json_schema(this.s)', { v: 1, s: deep })).toThrow(
      /too deep|schemas deep/,
    );
  });

  it('says at most twenty things', () => {
    const schema = { items: { type: 'string' } };
    expect(() => check(schema, Array(30).fill(1))).toThrow(/\n19 .*\nand 10 more$/);
  });

  it('sees values as JSON has them', () => {
    const typed = (type: string, expression: string) =>
      run(`root = ${expression}.json_schema("""{"type": "${type}"}""").type()`, null);
    expect(typed('string', '"2020-01-01T00:00:00Z".ts_parse("2006-01-02T15:04:05Z07:00")')).toBe(
      'timestamp',
    );
    expect(typed('string', '"a".bytes()')).toBe('bytes');
    expect(typed('integer', '9007199254740993')).toBe('number');
  });
});

describe('the schema of a setting', () => {
  it('tells each fault with its place', () => {
    const schema = { required: ['a'], properties: { b: { items: { type: 'string' } } } };
    expect(schemaFaults(schema, { b: ['x', 5] })).toEqual([
      { path: ['a'], message: 'is required' },
      { path: ['b', 1], message: 'must be of type string, and is of type integer' },
    ]);
    expect(() => schemaFaults({ $ref: '#/definitions/none' }, 1)).toThrow(
      'the schema cannot be used',
    );
    expect(() => schemaFaults({ pattern: '(' }, 'a')).toThrow('does not compile');
  });
});

describe('patterns', () => {
  it('are kept, a few hundred of them', () => {
    const source =
      'root = range(0, 600).map_each(n -> "a500".re_match("^a" + n.string() + "$")).find_all(true)';
    expect(run(source, null)).toEqual([500]);
  });
});

describe('json_path', () => {
  it('ends a path that multiplies, which templates cannot catch', () => {
    let value: unknown = 1;
    for (let level = 0; level < 200; level += 1) value = [value, level];
    soon(() =>
      expect(() => run('root = this.json_path("$..*..*..*..x").catch(0)', value)).toThrow(
        LimitError,
      ),
    );
    soon(() =>
      expect(() => run('root = this.json_path("$..[?@..[?@..[?@..x]]]").catch(0)', value)).toThrow(
        LimitError,
      ),
    );
  });

  it('is refused when it is too long or nests without end', () => {
    expect(() => run(`root = this.json_path("$${'.a'.repeat(600)}")`, {})).toThrow(
      'longer than 1000 characters',
    );
    soon(() =>
      expect(() => run(`root = this.json_path("$[?${'('.repeat(990)}")`, {})).toThrow(
        'failed to evaluate json path expression',
      ),
    );
    soon(() => run(`root = this.json_path("$[?@${'[?@'.repeat(200)}${']'.repeat(201)}")`, [1]));
  });
});
