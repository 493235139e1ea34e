import { type FragmentDefinitionNode, Kind, parse, type SelectionSetNode } from 'graphql';

/** Points that a query may cost. */
export const maxCost = 10_000;

/**
 * Counts the points of a query as Linear does: a tenth of a point for a property, a point for an object, multiplied in a connection by its
 * maximum number of rows, 50 unless `first` or `last` is given. https://linear.app/developers/rate-limiting#api-complexity-limits
 * @param body of a request
 */
export function costOf(body: string): number {
  const { query, variables = {} } = JSON.parse(body) as {
    query: string;
    variables?: Record<string, unknown>;
  };
  const document = parse(query);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition);

  const priceOf = (selections: SelectionSetNode): number =>
    selections.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        return sum + (fragment === undefined ? 0 : priceOf(fragment.selectionSet));
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + priceOf(selection.selectionSet);
      if (selection.selectionSet === undefined) return sum + 0.1;
      const isConnection = selection.selectionSet.selections.some(
        (inner) => inner.kind === Kind.FIELD && inner.name.value === 'nodes',
      );
      const size = selection.arguments?.find(({ name }) => /^(?:first|last)$/.test(name.value));
      const rows =
        size?.value.kind === Kind.VARIABLE
          ? variables[size.value.name.value]
          : size?.value.kind === Kind.INT
            ? Number(size.value.value)
            : undefined;
      const inner = 1 + priceOf(selection.selectionSet);
      return sum + (isConnection ? inner * (typeof rows === 'number' ? rows : 50) : inner);
    }, 0);

  return Math.ceil(
    document.definitions.reduce(
      (sum, definition) =>
        definition.kind === Kind.OPERATION_DEFINITION
          ? sum + priceOf(definition.selectionSet)
          : sum,
      0,
    ),
  );
}
