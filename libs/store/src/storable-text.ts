/** Shortens a text that others wrote, and removes what PostgreSQL cannot store in text and JSON: U+0000 and lone surrogates. */
export function storableText(text: string, maxLength: number): string {
  return Buffer.from(text.slice(0, maxLength)).toString().replaceAll('\0', '');
}
