import type { CompiledDocument } from '@onefold/mapping';
import type { ClientFunctions } from './client-function.js';
import type { CompiledBudget, CompiledRequest } from './compiled-provider.js';
import type { DocumentReader } from './document-reader.js';
import type { DocumentSource } from './source.js';

/** A document that is being compiled. */
export interface CompileContext {
  reader: DocumentReader;
  source: DocumentSource;
  /** Functions of the vendor's folder; undefined for customers' documents, which cannot have any. */
  functions: ClientFunctions | undefined;
  /** The mappings of the document by name; undefined for those with errors. */
  mappings: ReadonlyMap<string, CompiledDocument | undefined>;
  budgets: readonly CompiledBudget[];
  /** The calls that others use, by name; empty while they are compiled themselves. */
  calls: ReadonlyMap<string, CompiledRequest>;
}
