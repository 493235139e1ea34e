import type { ResolvedChain } from '#bus';
import { type Operation, recordFields } from '#contract';
import {
  type Field,
  type Fields,
  fieldsBehind,
  type Filter,
  namesOf,
  type Order,
  parseFilter,
  parseOrder,
} from '#query';
import { understood } from '#store';
import { keepsField } from '../records/customer-mapping.js';
import type { PageParameters } from './page.js';
import type { ProviderOperation } from '../provider.js';

/** The filters and orders of a list request, and those of them that the provider applies. */
export interface ListQuery {
  /** The fields that the request names, and others that a list can be ordered and filtered by. */
  fields: Fields;
  orders: readonly Order[];
  filters: readonly Filter[];
  pushed: { orders: readonly Order[]; filters: readonly Filter[] };
  /** True if the provider returns rows in the requested order, so that a page can be read without the rows after it. */
  streams: boolean;
}

const nothing: ListQuery = {
  fields: {},
  orders: [],
  filters: [],
  pushed: { orders: [], filters: [] },
  streams: true,
};

/**
 * Reads the filters and orders of a list. They are about the rows that the caller gets, so the provider applies those alone whose field
 * the mappings of the integration leave as it is. @throws ApiError 400 for a filter or an order of an unknown field
 */
export function readListQuery(
  parameters: PageParameters,
  offered: ProviderOperation,
  operation: Operation,
  chain: ResolvedChain['mappings'],
): ListQuery {
  if (offered.action !== 'query') return nothing;
  const { pushes } = offered;
  const requested = [parameters.order ?? []].flat();
  const isAsked = requested.length > 0;
  const asked = isAsked ? requested : [offered.order ?? []].flat();
  const wanted = parameters.filter ?? [];
  if (asked.length === 0 && wanted.length === 0) return nothing;
  const fields = fieldsOf(offered, operation, [...asked, ...wanted]);
  const { orders, filters } = readConditions(asked, wanted, fields);
  // A default order goes to the provider even if a mapping may change its field: sorted here, a plain list of more rows than are read
  // at once would be a 400 for callers who asked for nothing. An order that the caller names is about the rows that the caller gets.
  const streams = orders.every(
    (one) => (pushes?.order(one) ?? false) && (!isAsked || isKept(chain, one.field, fields)),
  );
  return {
    fields,
    orders,
    filters,
    pushed: {
      orders: streams ? orders : [],
      filters: filters.filter(
        (one) => (pushes?.filter(one) ?? false) && isKept(chain, one.field, fields),
      ),
    },
    streams,
  };
}

/** Parses orders and filters in our shape. @throws ApiError 400 */
export function readConditions(
  orders: readonly string[],
  filters: readonly string[],
  fields: Fields,
): { orders: Order[]; filters: Filter[] } {
  return {
    orders: orders.map((text) => understood('order', () => parseOrder(text, fields))),
    filters: filters.map((text) => understood('filter', () => parseFilter(text, fields))),
  };
}

/** Adds fields of the contract that the request names, such as `device.os.name`, to those that the provider offers. */
function fieldsOf(
  { fields }: ProviderOperation,
  { id }: Operation,
  conditions: readonly string[],
): Fields {
  const record = recordFields(id);
  const known = fields ?? record?.top ?? {};
  const others = namesOf(conditions).filter((name) => !Object.hasOwn(known, name));
  if (others.length === 0) return known;
  const found = others.flatMap((name): [string, Field][] => {
    const field = record?.find(name);
    return field === undefined ? [] : [[name, field]];
  });
  return { ...known, ...Object.fromEntries(found) };
}

/** True if the chain begins with the provider's own mapping, and the mappings after it certainly leave the field as it is. */
function isKept(
  [first, ...rest]: ResolvedChain['mappings'],
  field: string,
  fields: Fields,
): boolean {
  if (first?.data !== undefined) return false;
  const read = fieldsBehind(fields, field);
  return rest.every(({ data }) => data !== undefined && read.every((one) => keepsField(data, one)));
}
