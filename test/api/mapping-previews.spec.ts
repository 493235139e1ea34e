import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ManagementSchemas } from '#contract';
import { type Service, startService } from './service.js';

type Result = ManagementSchemas['ApplyMappingResponseResult'];

let service: Service;
beforeAll(async () => {
  service = await startService();
  const stored = { name: 'stored', data: document('root.n = this.n') };
  expect((await service.call('POST', '/v1/mappings', stored)).status).toBe(200);
});
afterAll(() => service.stop());

const document = (...lines: string[]) =>
  `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n${lines.map((line) => `    ${line}\n`).join('')}`;
const apply = async (body: object, token?: string) =>
  await service.call<Result>('POST', '/v1/mappings/apply', body, token);

// "A2 `mappings_apply`: `documents` (unsaved YAML beside names) and `steps: true` (output, template, place of failure per step)"
describe('documents of POST /v1/mappings/apply', () => {
  it('run in the chain beside stored mappings, and are not stored', async () => {
    const documents = { draft: document('root.n = this.n + 1') };
    const { status, message, result } = await apply({
      mappings: ['draft', 'stored', 'draft'],
      documents,
      data: { n: 1, rest: 1 },
    });
    expect([status, message, result]).toEqual([200, '', { mapping: { n: 3 } }]);
    expect((await service.call('GET', '/v1/mappings/draft')).status).toBe(404);
  });

  it('stand in for a stored mapping, and for that of the provider', async () => {
    const body = {
      mappings: ['default:0', 'stored'],
      documents: { 'default:0': document('root.n = 5'), stored: document('root.m = this.n') },
      data: {},
    };
    expect((await apply(body)).result).toEqual({ mapping: { m: 5 } });
    const plain = { mappings: ['stored'], data: { n: 7 } };
    expect((await apply(plain)).result).toEqual({ mapping: { n: 7 } });
  });

  it('are refused with every error at its place, and when no mapping names them', async () => {
    const documents = { 'a/b': document('root.n = this..n', 'root.m = this.nope()') };
    const wrong = await apply({ mappings: ['a/b'], documents, data: {} });
    expect([wrong.status, wrong.message]).toEqual([
      400,
      expect.stringMatching(/^body \/documents\/a~1b: line 5, column \d+: /),
    ]);
    const unused = await apply({
      mappings: ['stored'],
      documents: { storde: document('root = this') },
      data: {},
    });
    expect([unused.status, unused.message, unused.remediation]).toEqual([
      400,
      'body /documents/storde: is in no place of mappings',
      'Did you mean stored?',
    ]);
  });

  it('do not let a caller of another organization name a stored mapping', async () => {
    const { access } = await service.organization('stranger');
    const body = { mappings: ['draft', 'stored'], documents: { draft: document('root = this') } };
    const { status, message } = await apply({ ...body, data: {} }, access);
    expect([status, message]).toEqual([400, 'body /mappings/1: is not a mapping']);
  });
});

describe('steps of POST /v1/mappings/apply', () => {
  it('say what each mapping made, and by which template', async () => {
    const chosen = `engine: bloblang_direct
version: "1.0"
select: [{ name: loud, match: this.n > 1 }]
templates:
  loud: root.n = "many"
  default: root.n = "one"
`;
    const body = { mappings: ['stored', 'chosen'], documents: { chosen }, steps: true };
    const steps = async (n: number) => (await apply({ ...body, data: { n, rest: 1 } })).result;
    expect(await steps(2)).toEqual({
      mapping: { n: 'many' },
      steps: [
        { mapping: 'stored:1', template: 'default', output: { n: 2 }, dropped: false },
        { mapping: 'chosen', template: 'loud', output: { n: 'many' }, dropped: false },
      ],
    });
    expect((await steps(1)).steps?.[1]).toMatchObject({ template: 'default' });
  });

  it('end with the one that fails, and the place in its document', async () => {
    const { status, result } = await apply({
      mappings: ['stored', 'draft', 'stored'],
      documents: { draft: document('root = this', 'root.email = this.n.uppercase()') },
      data: { n: 1 },
      steps: true,
    });
    expect([status, result]).toEqual([
      200,
      {
        mapping: {},
        steps: [
          { mapping: 'stored:1', template: 'default', output: { n: 1 }, dropped: false },
          {
            mapping: 'draft',
            template: 'default',
            dropped: false,
            failure: {
              message: expect.stringContaining('draft:6:'),
              reason: 'expected string, got number 1',
              template: 'default',
              position: { line: 6, column: 18 },
              field: 'root.email',
              expression: 'this.n',
            },
          },
        ],
      },
    ]);
  });

  it('end with the one that drops the record', async () => {
    const { result } = await apply({
      mappings: ['gone', 'stored'],
      documents: { gone: document('root = deleted()') },
      data: { n: 1 },
      steps: true,
    });
    expect(result).toEqual({
      mapping: {},
      steps: [{ mapping: 'gone', template: 'default', dropped: true }],
    });
  });
});

describe('what POST /v1/mappings/apply answers', () => {
  it('has all digits of its numbers', async () => {
    const answer = await fetch(`${service.url}/v1/mappings/apply`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.administrator.access}`,
        'content-type': 'application/json',
      },
      body: '{"mappings": ["stored"], "data": {"n": 9007199254740993}, "steps": true}',
    });
    expect((await answer.text()).match(/9007199254740993/g)).toHaveLength(2);
  });

  it('is one record of the audit trail for many previews of a token, without the data and the documents', async () => {
    const { access } = await service.administratorToken();
    const records = async () => {
      const filter = encodeURIComponent('path[eq]/v1/mappings/apply');
      const { result } = await service.call<ManagementSchemas['Audit'][]>(
        'GET',
        `/v1/audit/organizations?limit=1000&filter=${filter}`,
      );
      return result;
    };
    const before = (await records()).length;
    const data = { n: 'canary of a customer' };
    const good = { mappings: ['x'], documents: { x: document('root.secret_line = this.n') }, data };
    const bad = { ...good, documents: { x: document('root.n = this..n') } };
    for (const body of [good, bad, good, good, bad, good])
      expect((await apply(body, access)).status).toBe(body === bad ? 400 : 200);
    const added = (await records()).slice(before);
    expect(added.map(({ code }) => code)).toEqual(['200', '400']);
    expect(added[0]?.body).toEqual({
      mappings: ['x'],
      data: '[not kept]',
      documents: '[not kept]',
    });
    expect(JSON.stringify(added)).not.toMatch(/canary|secret_line/);
    // Another token is another session.
    const another = await service.administratorToken();
    expect((await apply(good, another.access)).status).toBe(200);
    expect((await records()).length).toBe(before + 3);
  });
});
