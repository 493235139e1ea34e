import { type Fields, suggest } from './fields.js';
import { QueryError } from './query-error.js';

export interface Order {
  field: string;
  direction: 'asc' | 'desc';
}

const form = /^([A-Za-z_][\w.]*)(?:\[(asc|desc)\])?$/i;

/** Parses `field`, `field[asc]` or `field[desc]`. @throws QueryError */
export function parseOrder(
  text: string,
  fields: Fields,
  defaultDirection: Order['direction'] = 'asc',
): Order {
  const [, name = '', direction] = form.exec(text.trim()) ?? [];
  if (name === '')
    throw new QueryError(
      'order',
      text,
      0,
      'is not an order',
      'Write field, field[asc] or field[desc].',
    );
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined || field.orders === false)
    throw new QueryError(
      'order',
      text,
      0,
      `cannot be ordered by "${name}"`,
      suggest(
        name,
        Object.fromEntries(Object.entries(fields).filter(([, one]) => one.orders !== false)),
      ),
    );
  return {
    field: name,
    direction: (direction?.toLowerCase() as Order['direction'] | undefined) ?? defaultDirection,
  };
}

/** Returns a comparison by several orders, the first one first; missing values come last in both directions. */
export function comparer<Record>(
  orders: readonly Order[],
  read: (record: Record, field: string) => unknown,
): (a: Record, b: Record) => number {
  return (a, b) => {
    for (const { field, direction } of orders) {
      const [one, other] = [read(a, field), read(b, field)];
      const [missing, absent] = [
        one === null || one === undefined,
        other === null || other === undefined,
      ];
      if (missing || absent) {
        if (missing !== absent) return missing ? 1 : -1;
        continue;
      }
      if (one === other) continue;
      const sign = (one as string) < (other as string) ? -1 : 1;
      return direction === 'asc' ? sign : -sign;
    }
    return 0;
  };
}
