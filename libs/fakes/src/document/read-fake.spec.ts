import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readFake, readFakeFile } from '../index.js';

const errors = `
errors:
  body: root.message = this.error.message
  no_route: { status: 404, message: no such route }
  no_method: { status: 405, message: no such method }
  limited: { status: 429, message: slow down }
  failure: { status: 500, message: it broke }
`;
const document = (rest: string) => `fake: acme${errors}${rest}`;
const faults = (rest: string) => () => readFake(document(rest));

describe('a fake document', () => {
  it('is compiled once, with styles merged into routes', () => {
    const { routes } = readFake(
      document(`
  not_found: { status: 404, message: gone }
  forbidden: { status: 403, message: no }
  unauthenticated: { status: 401, message: who }
  expired_token: { status: 401, message: late }
auth: { principals: { a: [] }, accepts: [{ kind: basic }] }
collections: { devices: {} }
styles:
  base: { access: read, headers: { A: '1', B: '2' }, checks: { that: true, error: not_found } }
  list: { like: base, list: { from: devices, where: 'true' }, status: 201 }
routes:
  GET /a: { like: list, headers: { B: null, C: '3' }, list: devices, body: root = this.rows }
  GET /b: { like: [list], list: null, checks: [], write: { delete: devices, id: '1' } }
  GET /c: { like: base, delete: devices, id: '1' }
`),
    );
    const [a, b, c] = ['GET /a', 'GET /b', 'GET /c'].map((key) =>
      routes.find((route) => route.key === key),
    );
    expect(a?.access).toBe('read');
    expect([...(a?.headers.keys() ?? [])]).toEqual(['A', 'C']);
    expect(a?.list?.where).toBeDefined();
    expect(a?.checks).toHaveLength(1);
    expect(b?.list).toBeUndefined();
    expect(b?.checks).toHaveLength(0);
    expect(b?.writes).toHaveLength(1);
    expect(c?.writes[0]?.verb).toBe('delete');
  });

  it('is refused with every fault at once, each with its line', () => {
    const read = faults(`
collections:
  devices: { form: this.world.devices, id: this.id. }
routes:
  GET /a: { list: devcies, body: root = this.rows }
  GET /b: { like: nothing, body: 'root = this.x.apply("aid")' }
`);
    expect(read).toThrow(/line 10, column 14: unknown key "form"\n[^]*Did you mean from\?/);
    expect(read).toThrow(
      /line 12, column 19: unknown collection "devcies"\n[^]*Did you mean devices/,
    );
    expect(read).toThrow(/line 13, column 19: unknown style "nothing"/);
    expect(read).toThrow(/line 13, column 34: .apply\("aid"\) finds neither/);
    expect(read).toThrow(/line 10, column 52/);
  });

  it('points to the style for a fault of the style', () => {
    const read = faults(`
styles: { one: { body: root = this. } }
routes: { GET /a: { like: one } }
`);
    expect(read).toThrow(/line 9, column 36/);
  });

  it.each([
    ['parameters: { a: {} }', 'bad_parameter'],
    ['list: { from: c, page: { kind: cursor, token: this.query.a } }', 'bad_cursor'],
    ['list: { from: c, filter: { language: fql, text: this.query.a } }', 'bad_query'],
    ['create: c, row: root.id = 1', 'conflict'],
  ])('has to name the errors that the engine can raise: %s', (route, error) => {
    const read = faults(
      `\ncollections: { c: {} }\nroutes: { GET /a: { ${route}, body: root = 1 } }\n`,
    );
    expect(read).toThrow(new RegExp(`the engine can raise ${error}: missing in errors`));
  });

  it('has to name those of credentials, scopes and bodies', () => {
    const read = faults(`
auth: { principals: { a: [] }, accepts: [{ kind: basic }] }
routes: { POST /a: { access: b } }
`);
    expect(read).toThrow(/can raise bad_body, expired_token, forbidden, unauthenticated: missing/);
  });

  it.each([
    ['checks: { that: true, error: not_fuond }', 'unknown error "not_fuond"'],
    ['list: c', 'a route with a list needs a body or messages'],
    ['list: { rows: "[]", filter: { language: sql, text: a } }', 'unknown query language "sql"'],
    ['list: { page: {} }', 'a list needs either from or rows'],
    ['list: { from: c, page: { kind: offset, token: a } }', 'a page of kind offset has no "token"'],
    [
      'list: { from: c, page: { kind: offset, at: a, frozen: true } }',
      'only a page of kind cursor can have "frozen"',
    ],
    ['with: { a: { from: c } }', '"a" needs either id or where'],
    ['create: c', 'a create needs "row"'],
    ['delete: c, id: 1, row: root = 1', 'a delete has no "row"'],
    ['change: c, delete: c, id: 1, row: root = 1', 'a write needs exactly one of'],
    ['id: 1', '"id" needs one of create, change, put, delete'],
    ['write: { delete: c, id: 1 }, id: 1', '"id" and "write" exclude each other'],
    ['each: this.body', '"each" needs a write'],
    ['limit: fast', 'unknown bucket of limits "fast"'],
    ['status: this..a', 'line 10, column 34'],
    ['access: b', 'a scope needs auth'],
  ])('is refused: %s', (route, message) => {
    const read = faults(`\ncollections: { c: {} }\nroutes: { GET /a: { ${route} } }\n`);
    expect(read).toThrow(message);
  });

  it('needs no body where its list is for webhook messages alone', () => {
    const text = `\ncollections: { c: {} }\nroutes: { GET /a: { list: c, messages: this.rows } }\n`;
    expect(readFake(document(text)).routes[0]?.messages).toBeDefined();
  });

  it('has texts whose queries may have braces', () => {
    const text = (query: string) =>
      `\n  gone: { status: 404, message: 'no ${query} here' }\nroutes: { GET /a: { body: root = 1 } }\n`;
    const errorNames = readFake(document(text('{["a"].map_each({"b": this}).length()} {"}"}')))
      .errors.named;
    const scope = { input: {}, options: {} };
    expect(errorNames.get('gone')?.message.write(scope)).toBe('no 1 } here');
    expect(faults(text('{this.a'))).toThrow(/line 9, column 45: an operator or } is expected here/);
  });

  it('is refused with paths that cannot be told apart', () => {
    const read = faults(
      '\nroutes: { "GET /a/{b}": {}, "GET|PUT /a/{c}": {}, "GET /{a": {}, "GET /{a}/{a}": {} }\n',
    );
    expect(read).toThrow('GET /a/{c} is already a route');
    expect(read).toThrow('has a brace that does not name a parameter');
    expect(read).toThrow('names a parameter twice');
  });
});

describe('files that a fake includes', () => {
  const main = document(`
  forbidden: { status: 403, message: no }
  unauthenticated: { status: 401, message: who }
  expired_token: { status: 401, message: late }
auth: { principals: { a: [] }, accepts: [{ kind: basic }] }
include: [fake/devices.yaml]
styles: { base: { access: read } }
`);
  const devices = `collections:
  devices: { from: this.world.devices }
routes:
  GET /devices: { like: base, list: devices, body: root = this.rows }
`;

  it('have collections and routes of the same document', () => {
    const { collections, routes } = readFake(main, () => devices);
    expect([...collections.keys()]).toEqual(['devices']);
    expect(routes.map(({ key, access }) => [key, access])).toEqual([['GET /devices', 'read']]);
  });

  it.each([
    ['an unknown key', 'from:', 'form:', 2, 'unknown key "form"'],
    ['an expression', 'this.rows', 'this.', 4, ''],
    ['an unknown name', 'list: devices', 'list: hosts', 4, 'unknown collection "hosts"'],
    ['another key', 'collections:', 'let: {}\ncollections:', 1, 'unknown key "let"'],
    [
      'a name of another file',
      'collections:',
      'styles: { base: {} }\ncollections:',
      1,
      '"base" already exists in another file',
    ],
  ])('are refused with %s at its line', (_what, from, to, line, message) => {
    let found: unknown;
    try {
      readFake(main, () => devices.replace(from, to));
    } catch (error) {
      found = error;
    }
    expect(found).toMatchObject({
      faults: [{ line, file: 'fake/devices.yaml', message: expect.stringContaining(message) }],
      message: expect.stringContaining(`fake/devices.yaml: line ${line}, `),
    });
  });

  it('are not needed for a fake with routes, which every fake must have', () => {
    const without = main.replace(/include:.*\n/, '');
    expect(() => readFake(without)).toThrow(/the fake has no routes/);
    expect(readFake(`${without}routes: { GET /: {} }\n`).routes).toHaveLength(1);
  });

  it('cannot be missing', () => {
    expect(() => readFake(main)).toThrow('this document cannot include files');
  });
});

describe('a file of a fake', () => {
  it('is compiled again only when it or a file that it includes has changed', () => {
    const path = mkdtempSync(join(tmpdir(), 'onefold-fake-'));
    const file = pathToFileURL(join(path, 'fake.yaml'));
    const write = (name: string, text: string) => writeFileSync(join(path, name), text);
    const routes = (body: string) => `routes: { GET /: { body: '${body}' } }\n`;
    write('fake.yaml', document('include: [more.yaml]\n'));
    write('more.yaml', routes('root.a = this.url'));
    const texts: string[] = [];
    const read = () =>
      readFakeFile(file, ({ located, file: name }) => texts.push(`${name}: ${located.text}`));
    const first = read();
    expect(read()).toBe(first);
    expect(texts.filter((text) => text === 'more.yaml: root.a = this.url')).toHaveLength(2);
    write('more.yaml', routes('root.b = this.url'));
    const second = read();
    expect(second).not.toBe(first);
    expect(texts).toContain('more.yaml: root.b = this.url');
    rmSync(path, { recursive: true });
  });
});
