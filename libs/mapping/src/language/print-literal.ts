/** A field, key or name as it stands in source: bare where the grammar allows it, else quoted. */
export function nameText(name: string): string {
  return /^[A-Za-z0-9_]+$/.test(name) ? name : quoted(name);
}

/** A text in quotes, with the escapes that JSON and templates share. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A literal as it stands in source; texts of several lines in three quotes where they can be. */
export function literalText(value: null | boolean | number | bigint | string): string {
  if (typeof value === 'number') return decimal(value);
  if (typeof value !== 'string') return String(value);
  const several = value.includes('\n') && !value.includes('"""') && !value.endsWith('"');
  return several ? `"""${value}"""` : quoted(value);
}

/** A number without an exponent, which the grammar does not know. */
function decimal(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return `${value < 0 ? '-' : ''}${'9'.repeat(310)}.0`;
  if (Number.isInteger(value))
    return Number.isSafeInteger(value) ? String(value) : `${BigInt(value)}.0`;
  const [mantissa = '', exponent] = String(Math.abs(value)).split('e-');
  const sign = value < 0 ? '-' : '';
  if (exponent === undefined) return sign + mantissa;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${mantissa.replace('.', '')}`;
}
