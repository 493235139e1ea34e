import type { Total } from '#store';

export interface TotalView {
  total?: number;
  total_is_minimum?: true;
}

/** The total of a list on the wire; nothing if nobody asked for it. */
export function totalView({ total, totalIsMinimum }: Total): TotalView {
  if (total === undefined) return {};
  return totalIsMinimum ? { total, total_is_minimum: true } : { total };
}
