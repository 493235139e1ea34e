import type { ListQuery, Reader } from '#store';

/** Replaces names of integration points in the filters of a list by their ids: clients may know a point by its name only. */
export async function withPointIds(tx: Reader, query: ListQuery): Promise<ListQuery> {
  const isOfPoints = ({ field }: { field: string }) => field === 'integration_point_id';
  const asked = query.filters.filter(isOfPoints).flatMap(({ values }) => values.map(String));
  const points = await tx.integrationPoints.byNames(asked);
  if (points.length === 0) return query;
  const ids = new Map<unknown, string>(points.map(({ name, id }) => [name, id]));
  return {
    ...query,
    filters: query.filters.map((filter) =>
      isOfPoints(filter)
        ? { ...filter, values: filter.values.map((value) => ids.get(value) ?? value) }
        : filter,
    ),
  };
}
