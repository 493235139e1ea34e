/** Maximum number of records that are counted by reading them. */
export const maxCounted = 200;

/** Says how many records were found, such as `no tokens`, `one token` or `at least 200 tokens`. */
export function counted(count: number, one: string, many: string): string {
  if (count === 0) return `no ${many}`;
  if (count === 1) return `one ${one}`;
  return `${count === maxCounted ? `at least ${count}` : count} ${many}`;
}
