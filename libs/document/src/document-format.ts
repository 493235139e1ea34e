import { createRequire } from 'node:module';
import type * as ajv2020 from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** Keys that are used in place of those that a document lacks, so that the rest of it can be checked. */
export type StandIns = Readonly<Record<string, unknown>>;

/** A format of documents: its JSON Schema, compiled when the first document is checked. */
export interface DocumentFormat {
  readonly validate: ValidateFunction;
  readonly standIns: StandIns;
}

const require = createRequire(import.meta.url);

/** Describes a format by its JSON Schema. */
export function documentFormat(
  schema: Readonly<Record<string, unknown>>,
  standIns: StandIns = {},
): DocumentFormat {
  return lazyFormat(() => compile(schema), standIns);
}

/** The same format, in which null stands for a key that is absent. */
export function withoutNulls(format: DocumentFormat): DocumentFormat {
  return lazyFormat(() => {
    const { validate } = format;
    const validateRest = (value: unknown): boolean => {
      const isValid = validate(dropNulls(value));
      rest.errors = validate.errors ?? null;
      return isValid;
    };
    const rest = Object.assign(validateRest, validate) as ValidateFunction;
    return rest;
  }, format.standIns);
}

function lazyFormat(validateOf: () => ValidateFunction, standIns: StandIns): DocumentFormat {
  let validate: ValidateFunction | undefined;
  return {
    get validate() {
      return (validate ??= validateOf());
    },
    standIns,
  };
}

/** Loads Ajv here, because a process that reads no document needs neither it nor what it compiles, a quarter of a second of its start. */
function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof ajv2020;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    discriminator: true,
    verbose: true, // for the keys that exist where one is unknown
  });
  return ajv.compile(schema);
}

/** The value without the keys that are null; places in it stay what they are. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, dropNulls(one)]));
}
