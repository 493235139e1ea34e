import type { Filter, Order } from '#query';
import { type PageParameters, readConditions } from './page.js';
import type { ProviderOperation } from './provider.js';

/** The filters and orders of a list request, and those of them that the provider applies. */
export interface ListQuery {
  orders: readonly Order[];
  filters: readonly Filter[];
  pushed: { orders: readonly Order[]; filters: readonly Filter[] };
  /** True if the provider returns rows in the requested order, so that a page can be read without the rows after it. */
  streams: boolean;
}

const nothing: ListQuery = {
  orders: [],
  filters: [],
  pushed: { orders: [], filters: [] },
  streams: true,
};

/** @throws ApiError 400 for a filter or an order of an unknown field */
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
