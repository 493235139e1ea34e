import {
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';

/** A request to an API of GraphQL. */
interface Asked {
  query: string;
  variables?: Record<string, unknown> | null;
}

/** Checks queries and responses against a vendor's GraphQL schema. A response has no fields that its query does not name. */
export class GraphqlDescription {
  private readonly schema: GraphQLSchema;

  /** @param schema in GraphQL's own language */
  constructor(
    schema: string,
    private readonly path = '/graphql',
  ) {
    this.schema = buildSchema(schema);
  }

  match(
    method: string,
    path: string,
    body: Uint8Array,
  ): { operation: Asked; params: object } | undefined {
    if (method !== 'POST' || path !== this.path) return undefined;
    return { operation: JSON.parse(Buffer.from(body).toString()) as Asked, params: {} };
  }

  readParameters({ query }: Asked): { faults: string[] } {
    return { faults: validate(this.schema, parse(query)).map(({ message }) => message) };
  }

  /** Executes the query on the response: each value has to be of its type. */
  checkAnswer(
    { query, variables }: Asked,
    _status: number,
    _type: string | undefined,
    body: unknown,
  ): string[] {
    const { data } = (body ?? {}) as { data?: unknown };
    if (data === undefined || data === null) return [];
    const { errors = [] } = execute({
      schema: this.schema,
      document: parse(query),
      rootValue: data,
      variableValues: variables ?? null,
      fieldResolver: (source: Record<string, unknown>, _args, _context, { path }) =>
        source[path.key],
    }) as ExecutionResult; // Nothing in it is asynchronous.
    return errors.map(({ message }) => message);
  }

  unknownFields(): string[] {
    return [];
  }
}
