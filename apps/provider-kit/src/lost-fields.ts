import { MappingError } from '@onefold/mapping';
import { type CompiledProvider, compileProviders, describeOperation } from '#provider-document';
import type { ProviderFolder } from './folders.js';

/**
 * Warns of creates whose mapping reads only a part of what callers may send. That is not a fault: the provider may have no place for the rest,
 * and each caller who sends it is told.
 */
export function warnOfLostFields(folder: ProviderFolder): string[] {
  const warnings = compiledIfValid(folder).flatMap(({ operations }) =>
    [...operations].flatMap(([id, operation]) => {
      if (operation.action !== 'create') return [];
      const { unwritten = [] } = describeOperation(operation);
      if (unwritten.length === 0) return [];
      const reader =
        operation.request === undefined ? 'no expression reads' : 'request does not read';
      return `warning: ${folder.shown(folder.document)}: ${id} writes only a part of the body: ${reader} ${unwritten.join(', ')}. Read what the provider has a place for; callers who send the others are told in messages.`;
    }),
  );
  return [...new Set(warnings)]; // providers of one document may share operations
}

/** The providers of a folder; none if its document has faults, which the check reports. */
export function compiledIfValid(folder: ProviderFolder): readonly CompiledProvider[] {
  try {
    return compileProviders(folder.readDocument(), (name) => folder.read(name), folder.functions);
  } catch (error) {
    if (error instanceof MappingError) return [];
    throw error;
  }
}
