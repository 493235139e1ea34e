import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from '@jest/globals';
import { type OperationId, servedDocument } from './index.js';
import { recordShapes, type Shape } from './record-shapes.js';
import { validateRecord } from './validate-record.js';

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  components: { schemas: Record<string, { properties?: { result?: object } }> };
}

const document = JSON.parse(servedDocument('connector', '/')) as Document;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const ajv = new Ajv2020({ strict: false, logger: false, formats: { 'date-time': dateTime } });
ajv.addSchema({ $id: 'contract', components: withoutDiscriminators(document.components) });

function withoutDiscriminators(node: unknown): object {
  return JSON.parse(
    JSON.stringify(node, (key, value: unknown) => (key === 'discriminator' ? undefined : value)),
  ) as object;
}

/** The validator that Ajv makes of the schema of a response, for one record of it. */
function reference(id: OperationId): ValidateFunction {
  for (const item of Object.values(document.paths))
    for (const { operationId, responses } of Object.values(item)) {
      if (operationId !== id) continue;
      const text = JSON.stringify(Object.values(responses)[0]);
      const name = /schemas\/([^"]+)"/.exec(text)?.[1] ?? '';
      const isList = 'items' in (document.components.schemas[name]?.properties?.result ?? {});
      const pointer = `contract#/components/schemas/${name}/properties/result`;
      return ajv.compile({ $ref: isList ? `${pointer}/items` : pointer });
    }
  throw new Error(`no operation ${id}`);
}

/** A record with all fields of a shape, as deep as given, and with the required ones below. */
function example(shape: Shape, depth: number): unknown {
  const { types } = recordShapes();
  if (typeof shape !== 'string') return shape.values[0];
  if (shape.startsWith('?')) return example(shape.slice(1), depth);
  if (shape.startsWith('[]')) return [example(shape.slice(2), depth)];
  if (!shape.startsWith('#'))
    return {
      string: 'x',
      boolean: true,
      number: 1.5,
      integer: 3,
      time: 1_700_000_000_000,
      datetime: '2026-01-31T12:00:00Z',
      object: {},
      any: 1,
    }[shape];
  const type = types[shape.slice(1)];
  if (type === undefined) throw new Error(`no type ${shape}`);
  if ('values' in type) return type.values[0];
  if ('by' in type) return example(`#${Object.values(type.of)[0]}`, depth);
  const names = depth > 0 ? Object.keys(type.fields) : type.required;
  return Object.fromEntries(
    names.map((name) => [name, example(type.fields[name] as Shape, depth - 1)]),
  );
}

/** Every record that differs from the given one in one field, at any depth. */
function* variants(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const copy = (inner: unknown) => (Array.isArray(value) ? [inner] : { ...value, [key]: inner });
    for (const other of [null, 'x', 7, 1.5, true, {}, [], ['x'], [null]]) yield copy(other);
    if (!Array.isArray(value)) {
      const { [key]: _left, ...rest } = value as Record<string, unknown>;
      yield rest;
    }
    for (const inner of variants((value as Record<string, unknown>)[key])) yield copy(inner);
  }
}

describe('a record', () => {
  // Ajv reads the schemas of the served document, and the closures the table that is made of them.
  it.each<OperationId>([
    'ticketing_query_tickets',
    'ticketing_get_ticket',
    'ticketing_list_remote_fields',
    'ticketing_query_escalation_policies',
    'assets_query_devices',
    'edr_query_threatevents',
    'incidentresponse_query_escalation_policies',
    'vulnerabilities_query_scans',
  ])('of %s fits the contract exactly where Ajv says so', (id) => {
    const expected = reference(id);
    const right = example(recordShapes().records[id] as Shape, 2);
    expect(expected(right) || expected.errors).toBe(true);
    expect(validateRecord(id, right)).toBeUndefined();
    const differing: string[] = [];
    let count = 0;
    for (const record of variants(right)) {
      count += 1;
      if (expected(record) !== (validateRecord(id, record) === undefined))
        differing.push(JSON.stringify(record));
    }
    expect(count).toBeGreaterThan(20);
    expect(differing).toEqual([]);
  });

  const ticket = {
    id: '1',
    name: 'a',
    summary: 'a',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };

  // "A missing `id`, `status: 5`, `created_at: null`."
  it.each([
    [{ ...ticket, id: undefined }, '/id', 'is missing'],
    [{ ...ticket, status: 5 }, '/status', 'must be a string, is a number'],
    [{ ...ticket, created_at: null }, '/created_at', expect.stringContaining('is null')],
    [{ ...ticket, priority: 'HUGE' }, '/priority', expect.stringContaining('URGENT, CRITICAL')],
    [{ ...ticket, tags: ['a', 1] }, '/tags/1', 'must be a string, is a number'],
    ['text', '', 'must be an object, is a string'],
  ])('names the field that does not fit: %j', (record, pointer, message) => {
    expect(validateRecord('ticketing_query_tickets', record)).toEqual({ pointer, message });
  });

  it('may have fields beside those of the contract, and large numbers', () => {
    const id = 'ticketing_query_tickets';
    expect(validateRecord(id, { ...ticket, level: 9, raw_data: {} })).toBeUndefined();
    const device = { ...(example('#Device', 1) as object), time: 1_700_000_000_000n };
    expect(validateRecord('assets_query_devices', device)).toBeUndefined();
  });

  it('is free where the contract says nothing of it', () => {
    expect(validateRecord('custom_query', { any: 1 })).toBeUndefined();
  });
});
