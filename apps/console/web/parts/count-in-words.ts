/** A total of a list in words, such as `12` or `more than 10,000`, where the service has counted no further. */
export function countInWords({
  total,
  total_is_minimum: isMinimum = false,
}: {
  total?: number | null;
  total_is_minimum?: boolean;
}): string | undefined {
  if (total === undefined || total === null) return undefined;
  return isMinimum ? `more than ${total.toLocaleString('en')}` : String(total);
}
