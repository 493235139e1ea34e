/** Values that were typed with commas between them, each once. */
export function splitList(text: string): string[] {
  const all = text.split(',').map((one) => one.trim());
  return [...new Set(all)].filter((one) => one !== '');
}
