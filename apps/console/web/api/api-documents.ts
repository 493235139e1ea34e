import { useMemo } from 'preact/hooks';
import type { OperationId } from '#contract';
import { type Read, useRead } from './query.js';
import { plain, type Resolve, resolverOf, type Schema } from '../forms/schema.js';

/** An operation as the OpenAPI document declares it. */
export interface Declared {
  id: OperationId;
  summary: string;
  group: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body?: Schema | undefined;
  isBodyRequired: boolean;
  /** Schema of what it answers when it succeeds. */
  response: Schema | undefined;
  /** Whether it takes meta functions. */
  hasMeta: boolean;
  state: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface ApiDocument {
  operations: ReadonlyMap<string, Declared>;
  resolve: Resolve;
}

type DocumentId = 'meta_engine_openapi_spec' | 'meta_management_openapi_spec';

/** Reads the document of the connector API or of the management API, once in a tab. */
export function useApiDocument(
  id: DocumentId,
  isWanted = true,
): { read: Read<DocumentId>; api?: ApiDocument } {
  const read = useRead<DocumentId>(id, {}, undefined, isWanted);
  const api = useMemo(() => (read.data === undefined ? undefined : apiOf(read.data)), [read.data]);
  return { read, ...(api ? { api } : {}) };
}

type Content = Record<string, { schema?: Schema }>;

interface Raw {
  operationId: OperationId;
  summary?: string;
  tags?: string[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { required?: boolean; content?: Content };
  responses?: Record<string, { content?: Content }>;
  'x-meta'?: boolean;
  'x-state'?: string;
}

function apiOf(document: unknown): ApiDocument {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Raw>>;
    components: { parameters?: Record<string, Parameter> };
  };
  const parameterOf = (one: Parameter & { $ref?: string }) =>
    one.$ref === undefined ? one : components.parameters?.[one.$ref.split('/').at(-1) ?? ''];
  const operations = new Map<string, Declared>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, raw] of Object.entries(methods)) {
      const { operationId: id, requestBody } = raw;
      if (id === undefined) continue;
      operations.set(id, {
        id,
        summary: raw.summary ?? id,
        group: raw.tags?.[0] ?? '',
        method: method.toUpperCase(),
        path,
        parameters: (raw.parameters ?? []).flatMap((one) => parameterOf(one) ?? []),
        body: requestBody?.content?.['application/json']?.schema,
        isBodyRequired: requestBody?.required === true,
        response: Object.entries(raw.responses ?? {}).find(([status]) =>
          status.startsWith('2'),
        )?.[1].content?.['application/json']?.schema,
        hasMeta: raw['x-meta'] === true,
        state: raw['x-state'] ?? 'served',
      });
    }
  return { operations, resolve: resolverOf(document) };
}

const maxDepth = 3;

/** A body to begin with: the fields that have to be there, with values of their type. */
export function skeletonOf(given: Schema, resolve: Resolve, depth = 0): unknown {
  const schema = plain(given, resolve);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return skeletonOf(first, resolve, depth);
  switch ([schema.type].flat()[0]) {
    case 'array':
      return depth < maxDepth && schema.items ? [skeletonOf(schema.items, resolve, depth + 1)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return schema.format === 'date-time' ? new Date().toISOString() : '';
    default: {
      const { properties = {}, required = [] } = schema;
      if (depth >= maxDepth) return {};
      return Object.fromEntries(
        required.flatMap((name) => {
          const { [name]: inner } = properties;
          return inner === undefined ? [] : [[name, skeletonOf(inner, resolve, depth + 1)]];
        }),
      );
    }
  }
}
