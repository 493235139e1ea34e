import { LRUCache } from 'lru-cache';
import {
  type CompiledDocument,
  compileDocument,
  type DocumentCompileOptions,
} from './compile-document.js';

/**
 * Memory of a compiled document by characters of its source: thirty to forty bytes as closures, up to
 * 80 more as generated code.
 */
const bytesPerCharacter = 120;
const defaultMaxBytes = 64 * 1024 * 1024;

/** Compiled documents by their text, bounded by the memory they take; the least recently used goes first. */
export class DocumentCache {
  private readonly known: LRUCache<string, CompiledDocument>;

  constructor(
    private readonly options: DocumentCompileOptions = {},
    maxBytes = defaultMaxBytes,
  ) {
    this.known = new LRUCache({
      maxSize: maxBytes,
      // A document larger than the cache is kept alone: compiling it for every record would cost more.
      sizeCalculation: (_document, source) => Math.min(source.length * bytesPerCharacter, maxBytes),
    });
  }

  /** @throws MappingError */
  get(source: string): CompiledDocument {
    return this.known.get(source) ?? this.add(source);
  }

  private add(source: string): CompiledDocument {
    const compiled = compileDocument(source, this.options);
    this.known.set(source, compiled);
    return compiled;
  }
}
