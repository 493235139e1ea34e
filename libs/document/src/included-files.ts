import { MappingError } from '@onefold/mapping';
import type { LocatedDocument, Path } from './located-document.js';

type Section = Readonly<Record<string, unknown>>;

/** The files that a document includes. The entries of their sections, such as operations or routes, are added to its own. */
export class IncludedFiles<Document extends LocatedDocument> {
  /** The document with the entries of all files. */
  readonly value: Section;
  private readonly files: { name: string; document: Document }[] = [];
  private readonly owners = new Map<string, Document>();

  /**
   * Reads the files.
   * @param sections keys of the document whose entries files can have
   * @param open reads a file; undefined if the document cannot include files, which it has reported
   * @throws MappingError that names the file, if one cannot be read on
   */
  constructor(
    private readonly main: Document,
    sections: readonly string[],
    open: (name: string, place: Path) => Document | undefined,
  ) {
    const value = { ...(main.value as Section) };
    for (const section of sections) if (value[section]) value[section] = { ...value[section] };
    const names = (value['include'] ?? []) as readonly string[];
    for (const [index, name] of names.entries()) {
      const document = withFileName(name, () => open(name, ['include', index]));
      if (document === undefined) continue;
      this.files.push({ name, document });
      for (const section of sections) this.add(value, section, document);
    }
    this.value = value;
  }

  /** The file that contains the value at a path of the whole document. */
  ownerOf([section, key]: Path): Document {
    return this.owners.get(`${section}/${key}`) ?? this.main;
  }

  /** @throws MappingError with every error of the document, or else of the first file that has some */
  finish(): void {
    this.main.finish();
    for (const { name, document } of this.files) withFileName(name, () => document.finish());
  }

  private add(value: Record<string, unknown>, section: string, document: Document): void {
    const entries = Object.entries(((document.value as Section)[section] ?? {}) as Section);
    if (entries.length === 0) return;
    const whole = (value[section] ??= {}) as Record<string, unknown>;
    for (const [key, entry] of entries) {
      if (Object.hasOwn(whole, key))
        document.keyFault([section, key], `"${key}" already exists in another file`);
      whole[key] = entry;
      this.owners.set(`${section}/${key}`, document);
    }
  }
}

/** Runs work on an included file. @throws MappingError whose faults name the file and have its lines */
function withFileName<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const lines = error.source.split(/\r?\n/);
    const faults = error.faults.map((fault) => ({
      excerpt: lines[fault.line - 1] ?? '',
      file: name,
      ...fault,
    }));
    throw new MappingError(faults, error.source);
  }
}
