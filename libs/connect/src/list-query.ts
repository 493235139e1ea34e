import type { Filter, Order } from '#query';
import { type PageParameters, readConditions } from './page.js';
import type { ProviderOperation } from './provider.js';

/** What a list is asked for, and what of it the provider does by itself. */
export interface ListQuery {
  orders: readonly Order[];
  filters: readonly Filter[];
  pushed: { orders: readonly Order[]; filters: readonly Filter[] };
  /** True when the provider's rows come in the order that is asked for: a page needs no more than its own rows. */
  streams: boolean;
}

const nothing: ListQuery = {
  orders: [],
  filters: [],
  pushed: { orders: [], filters: [] },
  streams: true,
};

/** @throws ApiError 400 for a filter or an order of a field that there is none of */
export function readListQuery(parameters: PageParameters, offered: ProviderOperation): ListQuery {
  const { fields, pushes, order, action } = offered;
  if (action !== 'query' || fields === undefined) return nothing;
  const { orders, filters } = readConditions(parameters, fields, order);
  const streams = orders.every((one) => pushes?.order(one) ?? false);
  return {
    orders,
    filters,
    pushed: {
      orders: streams ? orders : [],
      filters: filters.filter((one) => pushes?.filter(one) ?? false),
    },
    streams,
  };
}
