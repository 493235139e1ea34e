import type { Exchange } from '#test/simulators';

const maxPageSize = 100;

/** Returns the requested page, and the Link header with the addresses of the others. */
export function page<T>(
  { query, url }: Exchange,
  all: T[],
): { rows: T[]; headers: Record<string, string> } {
  const size = Math.min(Math.max(1, Number(query['per_page'] ?? 30)), maxPageSize);
  const number = Math.max(1, Number(query['page'] ?? 1));
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (rel: string, to: number) => {
    const target = new URL(url);
    target.searchParams.set('page', String(to));
    return `<${target.href}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [link('prev', Math.min(number - 1, last))] : []),
    ...(number < last ? [link('next', number + 1), link('last', last)] : []),
    ...(number > 1 ? [link('first', 1)] : []),
  ];
  const rows = all.slice((number - 1) * size, number * size);
  return { rows, headers: links.length > 0 ? { link: links.join(', ') } : {} };
}
