// The parts that read queries: the whole package takes 3 MB more of memory.
import { GraphQLError } from 'graphql/error/GraphQLError.js';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
} from 'graphql/language/index.js';
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js';
import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { Route } from '../document/fake-document.js';
import { graphql } from '../languages/graphql.js';
import { QueryFault } from '../languages/language.js';
import { FakeRefusal } from './messages.js';
import { rowReader } from './row-reader.js';

type Json = Readonly<Record<string, Value>>;

/** A field that a query of GraphQL asks for, with what it asks of its value. */
interface Selected {
  /** Its name in the response. */
  alias: string;
  name: string;
  arguments: Json;
  /** None for a value without fields. */
  fields: readonly Selected[] | undefined;
}

/** The field of Query or Mutation that a request asks for. */
export interface Asked extends Selected {
  /** Type and name, such as `Query.issues`. */
  route: string;
}

/** Queries of clients have some hundred tokens. */
const maxTokens = 5_000;
/** Records of a list whose size the query does not say. */
const defaultSize = 50;
const connectionFields: readonly string[] = ['nodes', 'edges', 'pageInfo'];

/** Reads what a request to routes of GraphQL asks for; undefined for other routes. @returns the fault of a query that is not valid */
export function askedOf(
  routes: readonly Route[],
  path: string,
  body: Uint8Array,
): Asked | QueryFault | undefined {
  if (!routes.some((route) => route.field !== undefined && route.path === path)) return undefined;
  try {
    return readAsked(body);
  } catch (error) {
    if (error instanceof QueryFault) return error;
    throw error;
  }
}

/** Reads what the body of a request asks for: an operation with one field. @throws QueryFault */
function readAsked(body: Uint8Array): Asked {
  const { query, variables, operationName } = readBody(body);
  if (typeof query !== 'string') throw new QueryFault('Must provide query string.');
  const document = parseQuery(query);
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.find(
    ({ name }) => operationName === undefined || name?.value === operationName,
  );
  if (operation === undefined) throw new QueryFault('Must provide an operation.');
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const fields = selectedIn(operation.selectionSet, { variables, fragments });
  const [field] = fields;
  if (field === undefined || fields.length > 1)
    throw new QueryFault('The fake answers operations with one field.');
  const isQuery = operation.operation === OperationTypeNode.QUERY;
  return { ...field, route: `${isQuery ? 'Query' : 'Mutation'}.${field.name}` };
}

function readBody(body: Uint8Array): {
  query: unknown;
  variables: Record<string, unknown>;
  operationName: string | undefined;
} {
  try {
    const { query, variables, operationName } = JSON.parse(Buffer.from(body).toString()) as Record<
      string,
      unknown
    >;
    return {
      query,
      variables: (variables ?? {}) as Record<string, unknown>,
      operationName: (operationName ?? undefined) as string | undefined,
    };
  } catch (error) {
    if (error instanceof SyntaxError) throw new QueryFault('POST body is invalid JSON.');
    throw error;
  }
}

function parseQuery(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw new QueryFault(error.message, error.positions?.[0]);
    throw error;
  }
}

interface Known {
  variables: Record<string, unknown>;
  fragments: readonly FragmentDefinitionNode[];
}

function selectedIn({ selections }: SelectionSetNode, known: Known): Selected[] {
  return selections.flatMap((selection): Selected[] => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selectedIn(selection.selectionSet, known);
    const { name } = selection;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = known.fragments.find((one) => one.name.value === name.value);
      if (fragment === undefined) throw new QueryFault(`Unknown fragment "${name.value}".`);
      return selectedIn(fragment.selectionSet, known);
    }
    const given = (selection.arguments ?? []).map(
      (one) => [one.name.value, valueFromASTUntyped(one.value, known.variables)] as const,
    );
    return [
      {
        alias: selection.alias?.value ?? name.value,
        name: name.value,
        // A variable without a value is as an argument that is not there.
        arguments: structuredClone(
          Object.fromEntries(given.filter(([, value]) => value !== undefined)),
        ),
        fields: selection.selectionSet && selectedIn(selection.selectionSet, known),
      },
    ];
  });
}

/**
 * The response to what was asked: of the value of the field the fields that the query names. A list is a connection where nodes, edges or
 * pageInfo are asked for, of the page that the arguments say.
 * @param place of the template that made the value
 * @throws ExpressionFailure for a field that the value does not have
 */
export function answerQuery(value: Value, asked: Asked, place: string): Value {
  return { data: { [asked.alias]: select(value, asked, place) } };
}

function select(value: Value, { name, fields, arguments: given }: Selected, place: string): Value {
  if (value === null || value === undefined || fields === undefined) return value ?? null;
  if (Array.isArray(value)) {
    const own = { alias: name, name, arguments: {}, fields };
    if (!fields.some((field) => connectionFields.includes(field.name)))
      return value.map((one: Value) => select(one, own, place));
    return select(connectionOf(filtered(value, given), given), own, place);
  }
  if (typeof value !== 'object') throw new ExpressionFailure(place, `${name} has no fields`);
  return Object.fromEntries(
    fields.map((field) => {
      if (!Object.hasOwn(value, field.name))
        throw new ExpressionFailure(place, `${name} has no field ${field.name}`);
      return [field.alias, select((value as Json)[field.name], field, place)];
    }),
  );
}

/** Applies the argument `filter`, if there is one. @throws FakeRefusal bad_query */
function filtered(rows: readonly Value[], { filter }: Json): readonly Value[] {
  if (filter === undefined || filter === null) return rows;
  try {
    const predicate = graphql(filter, { now: () => 0, read: rowReader(undefined, undefined) });
    return rows.filter((row) => predicate(row as Json));
  } catch (error) {
    if (error instanceof QueryFault) throw new FakeRefusal('bad_query', error.message);
    throw error;
  }
}

/** A page of records within another one, whose cursors are their places. https://relay.dev/graphql/connections.htm */
function connectionOf(rows: readonly Value[], { first, last, after, before }: Json): Value {
  const begin = typeof after === 'string' ? Number(after) : 0;
  const limit = typeof before === 'string' ? Number(before) - 1 : rows.length;
  const isBackwards = typeof last === 'number' && typeof first !== 'number';
  const size = typeof first === 'number' ? first : defaultSize;
  const end = isBackwards ? limit : Math.min(limit, begin + size);
  const start = isBackwards ? Math.max(begin, end - last) : begin;
  const edges = rows
    .slice(start, end)
    .map((node, index) => ({ cursor: String(start + index + 1), node }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    totalCount: rows.length,
    pageInfo: {
      hasNextPage: end < rows.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
