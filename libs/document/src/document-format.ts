import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** Keys that are used in place of those that a document lacks, so that the rest of it can be checked. */
export type StandIns = Readonly<Record<string, unknown>>;

/** A format of documents: its JSON Schema, compiled. */
export interface DocumentFormat {
  readonly validate: ValidateFunction;
  readonly standIns: StandIns;
}

/** Compiles the JSON Schema of a format. */
export function documentFormat(
  schema: Readonly<Record<string, unknown>>,
  standIns: StandIns = {},
): DocumentFormat {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    discriminator: true,
    verbose: true, // for the keys that exist where one is unknown
  });
  return { validate: ajv.compile(schema), standIns };
}

/** The same format, in which null stands for a key that is absent. */
export function withoutNulls({ validate, standIns }: DocumentFormat): DocumentFormat {
  const validateRest = (value: unknown): boolean => {
    const isValid = validate(dropNulls(value));
    rest.errors = validate.errors ?? null;
    return isValid;
  };
  const rest = Object.assign(validateRest, validate) as ValidateFunction;
  return { validate: rest, standIns };
}

/** The value without the keys that are null; places in it stay what they are. */
function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, dropNulls(one)]));
}
