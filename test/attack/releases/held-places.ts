import type { Metrics } from '#observe';

/** Reads how many places of a kind are held, as operators see it. @throws Error for a kind that no metric counts */
export async function heldPlaces(metrics: Metrics, place: string): Promise<number> {
  const metric = metrics.registry.getSingleMetric('onefold_places_held');
  const { values } = (await metric?.get()) ?? { values: [] };
  const found = values.find(({ labels }) => labels['place'] === place);
  if (found === undefined) throw new Error(`no metric counts places of the kind ${place}`);
  return found.value;
}
