import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  budgetMs,
  matchRoute,
  type Operation,
  operations,
  recordFields,
  servedDocument,
} from './index.js';

type Node = Record<string, unknown>;

const isText = (type: unknown): boolean => [type].flat().includes('string');
/** Fields with a name like a secret that are not secret: one that is returned on purpose. */
const notSecret = ['Token.secret'];

const sides = ['management', 'connector'] as const;
const checker = join(process.cwd(), '../shared/contract/check.mjs');

/** Returns the schema of a JSON response with the fields of its result. */
function successSchema(
  { components: { schemas }, ...document }: { components: { schemas: Record<string, Node> } },
  { method, path, response }: Operation,
): Node[] {
  const { paths } = document as unknown as { paths: Record<string, Record<string, Node>> };
  const { responses } = paths[path]?.[method.toLowerCase()] as {
    responses: Record<string, { content?: Record<string, { schema: Node }> }>;
  };
  const content = responses[response.status]?.content ?? {};
  const open = (schema: Node | undefined): Node => {
    const { $ref: reference } = schema ?? {};
    return typeof reference === 'string'
      ? open(schemas[reference.split('/').at(-1) ?? ''])
      : (schema ?? {});
  };
  const top = open(Object.values(content)[0]?.schema);
  const { result, device } = (top['properties'] ?? {}) as Record<string, Node>;
  return [top, open(result), open(device)];
}

describe('the contract', () => {
  it('has each operation of its files, and each id once', () => {
    const folder = join(process.cwd(), 'libs/contract/openapi');
    const ids = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/^ +operationId: *(\w+)/gm),
      ])
      .map(([, id]) => id);
    expect([...operations.keys()].toSorted()).toEqual(ids.toSorted());
  });

  it('routes every path to its own operation: no literal is shadowed by a parameter', () => {
    for (const operation of operations.values()) {
      const path = operation.path.replaceAll(/\{(.+?)\}/g, 'some-$1');
      const match = matchRoute(operation.method, path);
      expect(match).toMatchObject({ operation: { id: operation.id } });
    }
  });

  it('requires a permission for every management operation except public ones and documents that everyone may read', () => {
    const free = [...operations.values()]
      .filter(({ side, permission }) => side === 'management' && permission === null)
      .map(({ id }) => id);
    expect(free.sort()).toEqual([
      'auth_list_logon_sso',
      'auth_logon',
      'capabilities_get_provider',
      'capabilities_list_connectors',
      'capabilities_list_providers',
      'connect_get_session',
      'connect_open_link',
      'meta_engine_openapi_spec',
      'meta_management_openapi_spec',
      'tokens_get_self',
    ]);
  });

  it('marks as polling the operations that answer with a query status, those of asset software, and custom ones', () => {
    const document = JSON.parse(servedDocument('connector', '/')) as {
      components: { schemas: Record<string, Node> };
    };
    const marked = [...operations.values()].filter(({ polls }) => polls).map(({ id }) => id);
    const answering = [...operations.values()]
      .filter(({ side, response }) => side === 'connector' && response.kind === 'json')
      .filter((operation) => {
        const seen = JSON.stringify(successSchema(document, operation));
        return /#\/components\/schemas\/(?:Query|CreateAsset|UploadScan)Status"/.test(seen);
      })
      .map(({ id }) => id);
    expect(answering.length).toBeGreaterThan(5);
    expect(marked).toEqual(expect.arrayContaining(answering));
    expect(marked).toEqual(
      expect.arrayContaining(['assets_create_software', 'assets_update_software', 'custom_query']),
    );
  });

  // "The contract marks them; the gateway gives them 300 s, the connector ends at 60 s where the provider's document does not poll."
  it('gives operations that poll 300 seconds, uploads hours, and all others 60 seconds', () => {
    const wrong = [...operations.values()].filter((operation) => {
      const isUpload = operation.request === 'multipart';
      const expectedMs = operation.polls ? 300_000 : 60_000;
      return isUpload ? budgetMs(operation) < 3_600_000 : budgetMs(operation) !== expectedMs;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it.each(sides)('resolves every reference of the %s document', (side) => {
    const document = JSON.parse(servedDocument(side, 'http://127.0.0.1')) as Node;
    const broken: string[] = [];
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { $ref } = node as Node;
      if (typeof $ref === 'string') {
        const target = $ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, key) => (at as Node | undefined)?.[key], document);
        if (target === undefined) broken.push($ref);
      }
      for (const value of Object.values(node)) walk(value);
    };
    walk(document);
    expect(broken).toEqual([]);
  });

  it('has a plain summary of every operation', () => {
    for (const side of sides) {
      const { paths } = JSON.parse(servedDocument(side, '/')) as { paths: Record<string, Node> };
      for (const item of Object.values(paths))
        for (const operation of Object.values(item))
          expect((operation as Node)['summary']).toMatch(/^[A-Z][A-Za-z ,-]+$/);
    }
  });

  it('marks every text field with a name like a secret as secret', () => {
    const document = JSON.parse(servedDocument('management', '/')) as {
      components: { schemas: Record<string, { properties?: Record<string, Node> }> };
    };
    const unmarked = Object.entries(document.components.schemas).flatMap(
      ([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(
            ([field, { type }]) => isText(type) && /secret|password$|_key$|_token$/.test(field),
          )
          .filter(([, schema]) => schema['x-secret'] !== true)
          .map(([field]) => `${name}.${field}`),
    );
    expect(unmarked.sort()).toEqual(notSecret);
  });

  // The published facts are stored beside some checkouts only.
  if (existsSync(checker))
    it.each(sides)('agrees with the published facts of the %s API', (side) => {
      const folder = mkdtempSync(join(tmpdir(), 'onefold-contract-'));
      const file = join(folder, 'openapi.json');
      writeFileSync(file, servedDocument(side, '/'));
      try {
        expect(execFileSync(process.execPath, [checker, side, file]).toString()).toMatch(
          /(\d+) of \1 operations hold the contract/,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
});

describe('the fields of the records of an operation', () => {
  it('are those of its response, with their values in the order of the contract', () => {
    const tickets = recordFields('ticketing_query_tickets');
    expect(tickets?.top['priority']).toEqual({
      type: 'enum',
      values: ['URGENT', 'CRITICAL', 'HIGH', 'MEDIUM', 'MODERATE', 'LOW', 'PLANNING'],
    });
    expect(tickets?.find('tags')).toEqual({ type: 'list', orders: false });
    expect(tickets?.find('time')).toEqual({ type: 'datetime' });
  });

  it('are found at any depth, also in unions', () => {
    const devices = recordFields('assets_query_devices');
    expect(devices?.find('device.os.type_id')).toEqual({ type: 'number' });
    expect(devices?.find('device.last_seen_time')).toEqual({ type: 'datetime' });
    expect(devices?.find('device.groups.name')).toEqual({ type: 'string', orders: false });
    expect(recordFields('edr_query_alerts')?.find('actor.process.user.name')).toEqual({
      type: 'string',
    });
  });

  it.each(['custom_fields', 'custom_fields.site', 'unmapped.x', 'attachments', 'no_such_field'])(
    'are those that can be compared, and not %s',
    (name) => expect(recordFields('ticketing_query_tickets')?.find(name)).toBeUndefined(),
  );

  it('names the classes of all records of a list of events', () => {
    const { values = [] } = recordFields('cloudsecurity_query_events')?.top['class_name'] ?? {};
    expect(values).toEqual(
      expect.arrayContaining(['Account Change', 'Detection Finding', 'Base Event']),
    );
    expect(new Set(values).size).toBe(values.length);
  });

  it('are not known where records are free', () => {
    expect(recordFields('custom_query')).toBeUndefined();
    expect(recordFields('siem_query_alerts')).toBeUndefined();
  });
});
