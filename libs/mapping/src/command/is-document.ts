/** The remedy for a document that has expressions of the language, and is not a mapping; undefined for others. */
export function remedyForOther(source: string): string | undefined {
  if (isDocument(source) || !/^(?:operations|fake)\s*:/m.test(source)) return undefined;
  return 'this is a document of a provider, and no mapping: npm run -s provider -- check <vendor> checks and lints its expressions and mappings; its layout is that of its YAML';
}

/** True for a mapping document, false for a template. */
export function isDocument(source: string): boolean {
  return /^(?:engine|templates)\s*:/m.test(source);
}
