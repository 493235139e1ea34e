import type { ErrorObject } from 'ajv/dist/2020.js';

/** Keys that are used in place of those that a document lacks, so that the rest of it can be checked. */
export type StandIns = Readonly<Record<string, unknown>>;

/** Checks a value by a JSON Schema, as functions of Ajv do: what is wrong with the last one stands in `errors`. */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/** A format of documents: the compiled form of its JSON Schema (tools/document-validators.mjs). */
export interface DocumentFormat {
  readonly validate: Validate;
  readonly standIns: StandIns;
}

/** The same format, in which null stands for a key that is absent. */
export function withoutNulls({ validate, standIns }: DocumentFormat): DocumentFormat {
  const validateRest: Validate = (value) => {
    const isValid = validate(dropNulls(value));
    validateRest.errors = validate.errors ?? null;
    return isValid;
  };
  return { validate: validateRest, standIns };
}

/** The value without the keys that are null; places in it stay what they are. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, dropNulls(one)]));
}
