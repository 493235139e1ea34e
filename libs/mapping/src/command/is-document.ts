/** True for a mapping document, false for a template. */
export function isDocument(source: string): boolean {
  return /^(?:engine|templates)\s*:/m.test(source);
}
