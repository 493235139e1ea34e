/** Lines without spaces around them and without those that are empty. */
export function linesIn(lines: readonly string[] | null | undefined): string[] {
  return (lines ?? []).map((one) => one.trim()).filter((one) => one !== '');
}
