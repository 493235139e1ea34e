import { type DocumentReader, namingFile } from './document-reader.js';
import type { DocumentSource, OperationSource } from './source.js';

/** A document with the files that it includes. */
export interface DocumentParts {
  /** The document, with the operations of all files. */
  source: DocumentSource;
  /** Finds the file of an operation, to tell the places of its values. */
  readerOf: (id: string) => DocumentReader;
  /** @throws MappingError with every error of the document, or else of the first file that has some */
  finish: () => void;
}

/** Reads the files that a document includes. @throws MappingError that names the file, if one is invalid */
export function readParts(reader: DocumentReader): DocumentParts {
  const source = reader.value as DocumentSource;
  const readers = new Map<string, DocumentReader>();
  const operations: Record<string, OperationSource> = { ...source.operations };
  const parts = (source.include ?? []).flatMap((name, index) => {
    const part = namingFile(name, () => reader.part(['include', index], name));
    if (part === undefined) return [];
    for (const [id, operation] of Object.entries((part.value as DocumentSource).operations)) {
      if (Object.hasOwn(operations, id))
        part.fault(['operations', id], `another file has the operation "${id}", too`);
      operations[id] = operation;
      readers.set(id, part);
    }
    return [{ name, part }];
  });
  return {
    source: { ...source, operations },
    readerOf: (id) => readers.get(id) ?? reader,
    finish: () => {
      reader.finish();
      for (const { name, part } of parts) namingFile(name, () => part.finish());
    },
  };
}
