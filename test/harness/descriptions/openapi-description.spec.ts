import { describe, expect, it } from '@jest/globals';
import { Description } from './openapi-description.js';

const thing = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    colour: { nullable: true, oneOf: [{ type: 'string' }, { type: 'integer' }] },
    size: { type: 'string', nullable: true, enum: ['s', 'l'] },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const parameter = (name: string, schema: object) => ({ name, in: 'query', schema });
const thingRef = { $ref: '#/components/schemas/Thing' };
const description = new Description({
  document: {
    openapi: '3.0.3',
    paths: {
      '/things/{id}': { get: { parameters: [], responses: { '200': json(thing), '404': {} } } },
      '/things/new': { get: { responses: { '200': json(thing) } } },
      '/things': {
        get: {
          parameters: [
            parameter('limit', { type: 'integer', maximum: 100 }),
            parameter('tags', { type: 'array', items: { type: 'string' } }),
          ],
          responses: { '200': json({ type: 'array', items: thingRef }) },
        },
        post: {
          requestBody: { required: true, ...json(thingRef) },
          responses: { '201': json(thingRef) },
        },
      },
    },
    components: { schemas: { Thing: thing } },
  },
});

function operationOf(method: string, path: string) {
  const found = description.match(method, path);
  if (found === undefined) throw new Error(`${method} ${path} is not in the description`);
  return found;
}

describe('a description of OpenAPI', () => {
  it.each([
    [{ name: 'a', colour: null, size: null }, []],
    [{ name: 'a', colour: 7, size: 'l' }, []],
    [{ name: 'a', colour: true }, [expect.stringMatching(/^body \/colour /)]],
    [{ name: 'a', size: 'm' }, [expect.stringMatching(/^body \/size /)]],
    [{ name: null }, ['body /name must be string']],
    [{ colour: 'red' }, ["body must have required property 'name'"]],
  ])('takes nullable for what it means: %j', (body, faults) => {
    const { operation } = operationOf('POST', '/things');
    const found = description.checkBody(operation, 'application/json', body);
    expect(found.length > 0).toBe(faults.length > 0);
    expect(found).toEqual(expect.arrayContaining(faults));
  });

  it('refuses a body that is missing, or of another type', () => {
    const { operation } = operationOf('POST', '/things');
    expect(description.checkBody(operation, undefined, undefined)).toEqual(['the body is missing']);
    expect(description.checkBody(operation, 'text/plain', undefined)).toEqual([
      'the body is text/plain, not application/json',
    ]);
  });

  it('reads the query in its types, and refuses what it does not have', () => {
    const { operation, params } = operationOf('GET', '/things');
    const read = (query: string) =>
      description.readParameters(operation, params, new URLSearchParams(query), {});
    expect(read('limit=5&tags=a&tags=b')).toEqual({
      query: { limit: 5, tags: ['a', 'b'] },
      faults: [],
    });
    expect(['limit=101', 'limit=many', 'sort=name'].flatMap((one) => read(one).faults)).toEqual([
      'query parameter limit must be <= 100',
      'query parameter limit must be integer',
      'query parameter sort is not in the description',
    ]);
  });

  it('prefers a literal path to a parameter, and decodes parameters', () => {
    expect(operationOf('GET', '/things/new').operation.key).toBe('GET /things/new');
    expect(operationOf('GET', '/things/a%2Fb').params).toEqual({ id: 'a/b' });
    expect(description.match('GET', '/nothing')).toBeUndefined();
  });

  it('refuses answers of other values, types and statuses', () => {
    const { operation } = operationOf('GET', '/things');
    const check = (status: number, type: string | undefined, body: unknown) =>
      description.checkAnswer(operation, status, type, body);
    expect(check(200, 'application/json', [{ name: 'a' }])).toEqual([]);
    expect(check(200, 'application/json', [{ name: 7 }])).toEqual(['/0/name must be string']);
    expect(check(200, 'text/html', undefined)).toEqual([
      'the answer is text/html, not application/json',
    ]);
    expect(check(202, undefined, undefined)).toEqual(['status 202 is not in the description']);
    expect(check(429, undefined, undefined)).toEqual([]); // as any operation may answer
  });
});
