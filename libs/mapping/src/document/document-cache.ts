import { type CompiledDocument, compileDocument } from './compile-document.js';

/**
 * What a compiled document takes of memory, in characters of its source: thirty to forty bytes as closures, up to
 * 80 more as generated code.
 */
const bytesPerCharacter = 120;

/** Compiled documents by their text, bounded by the memory they take; the least recently used goes first. */
export class DocumentCache {
  private readonly known = new Map<string, CompiledDocument>();
  private bytes = 0;

  constructor(private readonly mostBytes = 64 * 1024 * 1024) {}

  /** @throws MappingError */
  get(source: string): CompiledDocument {
    const found = this.known.get(source);
    if (found) {
      this.known.delete(source);
      this.known.set(source, found);
      return found;
    }
    const compiled = compileDocument(source);
    this.known.set(source, compiled);
    this.bytes += source.length * bytesPerCharacter;
    for (const oldest of this.known.keys()) {
      if (this.bytes <= this.mostBytes || this.known.size === 1) break;
      this.known.delete(oldest);
      this.bytes -= oldest.length * bytesPerCharacter;
    }
    return compiled;
  }
}
