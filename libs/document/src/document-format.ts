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
