import type { Path } from '#document';

/** A value of a document together with the place it was written at, so that merged parts keep their places. */
export class Part {
  private constructor(
    /** Place in the document, for messages and for compiling. */
    readonly path: Path,
    /** Text, number, boolean or null; the other two are undefined for it. */
    readonly scalar: unknown,
    private readonly fields: ReadonlyMap<string, Part> | undefined,
    private readonly elements: readonly Part[] | undefined,
  ) {}

  /** Wraps a plain value and everything in it. */
  static of(value: unknown, path: Path = []): Part {
    if (Array.isArray(value))
      return new Part(
        path,
        undefined,
        undefined,
        value.map((one, index) => Part.of(one, [...path, index])),
      );
    if (typeof value !== 'object' || value === null)
      return new Part(path, value, undefined, undefined);
    const entries = Object.entries(value).map(
      ([key, one]) => [key, Part.of(one, [...path, key])] as const,
    );
    return new Part(path, undefined, new Map(entries), undefined);
  }

  /** Makes an object of parts that may come from different places. */
  static object(path: Path, fields: Iterable<readonly [string, Part]>): Part {
    return new Part(path, undefined, new Map(fields), undefined);
  }

  static list(path: Path, elements: readonly Part[]): Part {
    return new Part(path, undefined, undefined, elements);
  }

  get isObject(): boolean {
    return this.fields !== undefined;
  }

  get isList(): boolean {
    return this.elements !== undefined;
  }

  /** A field; undefined where it is absent or null. */
  get(key: string): Part | undefined {
    const part = this.fields?.get(key);
    return part?.isNull === true ? undefined : part;
  }

  get isNull(): boolean {
    return this.scalar === null;
  }

  entries(): (readonly [string, Part])[] {
    return [...(this.fields ?? [])];
  }

  /** The elements of a list; a value that is not a list is a list of itself. */
  items(): readonly Part[] {
    return this.elements ?? [this];
  }

  text(key: string): string | undefined {
    const value = this.get(key)?.scalar;
    return typeof value === 'string' ? value : undefined;
  }

  number(key: string): number | undefined {
    const value = this.get(key)?.scalar;
    return typeof value === 'number' ? value : undefined;
  }

  flag(key: string): boolean {
    return this.get(key)?.scalar === true;
  }

  texts(key: string): string[] | undefined {
    return this.get(key)
      ?.items()
      .map(({ scalar }) => String(scalar));
  }

  /** The plain value. */
  toPlain(): unknown {
    if (this.elements) return this.elements.map((one) => one.toPlain());
    if (this.fields === undefined) return this.scalar;
    return Object.fromEntries([...this.fields].map(([key, one]) => [key, one.toPlain()]));
  }
}

/** Merges a part over another: objects key by key, everything else replaced; null removes a key. */
export function mergeParts(base: Part, over: Part): Part {
  if (!base.isObject || !over.isObject) return over;
  const merged = new Map(base.entries());
  for (const [key, part] of over.entries()) {
    const below = merged.get(key);
    if (part.isNull) merged.delete(key);
    else merged.set(key, below === undefined ? part : mergeParts(below, part));
  }
  return Part.object(over.path, merged);
}
