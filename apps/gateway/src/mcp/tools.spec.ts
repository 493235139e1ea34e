import { describe, expect, it } from '@jest/globals';
import { operations } from '#contract';
import { maxSchemaLength, modelSchema } from './model-schema.js';
import { allTools, isTool, ownArguments } from './tools.js';

const tools = [...allTools().values()];

describe('the tools of operations', () => {
  it('are one for each served operation that an assistant has a use for', () => {
    const wanted = [...operations.values()].filter(isTool).map(({ id }) => id);
    expect(tools.map(({ name }) => name).sort()).toEqual(wanted.sort());
    expect(tools.length).toBeGreaterThan(180);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const { properties = {}, required = [] } = tool.inputSchema;
    for (const argument of required) expect(Object.keys(properties)).toContain(argument);
    // A schema that refers elsewhere, or carries marks of ours, is none that a client can use.
    expect(JSON.stringify(tool)).not.toMatch(/"\$ref"|"x-|"readOnly"/);
    expect(JSON.stringify(tool).length).toBeLessThan(maxSchemaLength + 6_000);
    const operation = operations.get(name as never);
    const declared = [...Object.keys(operation?.query ?? {}), ...paths(operation?.path ?? '')];
    for (const own of Object.values(ownArguments)) expect(declared).not.toContain(own);
    for (const place of paths(operation?.path ?? '')) expect(required).toContain(place);
  });

  it('say which only read, and which change what there is', () => {
    const hints = (name: string) => allTools().get(name)?.annotations;
    expect(hints('ticketing_query_tickets')).toMatchObject({ readOnlyHint: true });
    expect(hints('ticketing_create_ticket')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
    });
    for (const name of ['endpointmanagement_wipe_device', 'ticketing_delete_comment'])
      expect(hints(name)).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });
});

describe('a schema for a model', () => {
  const schemas = {
    Node: {
      type: 'object',
      'x-ours': true,
      properties: {
        id: { type: 'string', readOnly: true },
        name: { type: ['string', 'null'] },
        next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
      },
      required: ['id', 'name'],
    },
  };

  it('has no references, nulls, marks and fields that nobody may send, and ends where a type contains itself', () => {
    const cut = modelSchema({ $ref: '#/components/schemas/Node' }, schemas);
    expect(cut).toMatchObject({
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, next: { properties: { name: { type: 'string' } } } },
    });
    expect(JSON.stringify(cut)).not.toMatch(/\$ref|null|x-ours|"id"/);
  });

  it('loses its lower levels where it is too long', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        `field_${index}`,
        { $ref: '#/components/schemas/Node' },
      ]),
    );
    const cut = modelSchema(
      { type: 'object', properties: { wide: { type: 'object', properties: wide } } },
      schemas,
    );
    expect(cut).toEqual({ type: 'object', properties: { wide: { type: 'object' } } });
  });
});

function paths(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}
