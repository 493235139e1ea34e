import type { Limits } from '@onefold/mapping';

/** A record in the provider's shape. */
export type ProviderRecord = Record<string, unknown>;

/** Values that a mapping reads with `@`, in addition to the record. */
export interface MappingContext {
  /** The integration's configuration; its secrets are not in it. */
  config: Readonly<Record<string, unknown>>;
  /** The path parameters of the request. */
  path: Readonly<Record<string, string>>;
  /** The record of a patch as it was, in the shape that the mapping of requests reads. */
  before?: ProviderRecord;
  /** The limits of each run of a mapping, where they are lower than those of the process. */
  limits?: Limits | undefined;
}

/** Maps a record from the provider's shape to ours, or back. */
export interface Mapping {
  (record: ProviderRecord, context: MappingContext): unknown;
  /** Describes the line that sets a field of what it makes; undefined where that is not known. @param path from the record inwards */
  locateField?(path: readonly string[]): string | undefined;
}
