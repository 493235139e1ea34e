import type { Limits } from '#mapping';

/** A record as the provider has it. */
export type ProviderRecord = Record<string, unknown>;

/** What a provider's own mapping may read beside the record, with `@`. */
export interface MappingContext {
  /** The integration's configuration; its secrets are not in it. */
  config: Readonly<Record<string, unknown>>;
  /** The path parameters of the request. */
  path: Readonly<Record<string, string>>;
  /** The limits of each run of a mapping, where they are lower than those of the process. */
  limits?: Limits | undefined;
}

/** Turns a record of one side into one of the other. */
export type Mapping = (record: ProviderRecord, context: MappingContext) => unknown;
