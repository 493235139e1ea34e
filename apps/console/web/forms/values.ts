import type { Choice, Field, Variant } from './fields.js';

/** Texts that were typed, by the place of the field in the body. The chosen variant of a choice is at its `/type`. */
export type Values = Readonly<Record<string, string>>;

export function textAt(values: Values, field: { pointer: string; initial?: string }): string {
  return values[field.pointer] ?? field.initial ?? '';
}

/** The chosen shape of a choice; the first one until somebody chooses. */
export function variantIn(values: Values, { pointer, variants }: Choice): Variant | undefined {
  const name = values[`${pointer}/type`];
  return variants.find((one) => one.name === name) ?? variants[0];
}

/** Builds the object that the fields describe; fields that are empty are left out. */
export function objectOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  const built: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueOf(field, values);
    if (value !== undefined) built[nameOf(field.pointer)] = value;
  }
  return built;
}

/** The texts of fields that are one input each, from an object that has values for them. */
export function textsOf(fields: readonly Field[], object: Readonly<Record<string, unknown>>) {
  const values: Record<string, string> = {};
  for (const { kind, pointer } of fields) {
    const value = object[nameOf(pointer)];
    if (value === undefined || value === null || kind === 'group' || kind === 'choice') continue;
    if (kind === 'lines' && Array.isArray(value)) values[pointer] = value.join('\n');
    else values[pointer] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return values;
}

/** Name of the property at a place. */
export function nameOf(pointer: string): string {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

function valueOf(field: Field, values: Values): unknown {
  if (field.kind === 'fixed') return field.value;
  if (field.kind === 'group') {
    const inner = objectOf(field.fields, values);
    return Object.keys(inner).length === 0 && !field.isRequired ? undefined : inner;
  }
  if (field.kind === 'choice') {
    const chosen = variantIn(values, field);
    const inner = objectOf(chosen?.fields ?? [], values);
    if (Object.keys(inner).length === 0 && !field.isRequired) return undefined;
    return { type: chosen?.name, ...inner };
  }
  const text = textAt(values, field);
  if (text === '') return undefined;
  switch (field.kind) {
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text; // the service says what is wrong with it
    case 'boolean':
      return text === 'true';
    case 'lines':
      return text.split('\n').flatMap((line) => line.trim() || []);
    case 'json':
      return jsonOr(text);
    default:
      return text;
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface FaultWords {
  needed: string;
  notJson: string;
  /** Said of an address without its beginning, such as `desk.example.com`. */
  address: string;
}

export const faultWords: FaultWords = {
  needed: 'This is needed.',
  notJson: 'This is not JSON.',
  address: 'Write the whole address, such as https://desk.example.com.',
};

/** Faults that need no request, by place: what is missing, and what is not JSON. */
export function faultsIn(
  fields: readonly Field[],
  values: Values,
  words = faultWords,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const field of fields) {
    if (field.kind === 'fixed') continue;
    if (field.kind === 'group' || field.kind === 'choice') {
      if (!field.isRequired && valueOf(field, values) === undefined) continue;
      const inner =
        field.kind === 'group' ? field.fields : (variantIn(values, field)?.fields ?? []);
      for (const [pointer, text] of faultsIn(inner, values, words)) found.set(pointer, text);
      continue;
    }
    const text = textAt(values, field);
    if (text.trim() === '') {
      if (field.isRequired) found.set(field.pointer, words.needed);
    } else if (field.kind === 'json' && !isJson(text)) found.set(field.pointer, words.notJson);
    else if (field.kind === 'url' && !isAddress(text)) found.set(field.pointer, words.address);
  }
  return found;
}

/** `desk.example.com` is none, nor is `desk.example.com:443`, whose host would be its scheme. */
function isAddress(text: string): boolean {
  return text.includes('://') && URL.canParse(text.trim());
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The values that may be written down: all but secrets, of every variant of a choice. */
export function withoutSecrets(fields: readonly Field[], values: Values): Values {
  const secrets = new Set(secretsIn(fields));
  return Object.fromEntries(Object.entries(values).filter(([pointer]) => !secrets.has(pointer)));
}

/** The places of fields for secrets, of every variant of a choice. */
export function secretsIn(fields: readonly Field[]): string[] {
  return fields.flatMap((field) => {
    if (field.kind === 'group') return secretsIn(field.fields);
    if (field.kind === 'choice') return field.variants.flatMap((one) => secretsIn(one.fields));
    return field.kind === 'secret' ? field.pointer : [];
  });
}
