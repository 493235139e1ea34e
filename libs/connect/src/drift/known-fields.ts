import type { ProviderRecord } from '../provider-record.js';
import { hashPath, hideDataNames, visitLeaves, writePath } from './field-paths.js';

/** Bounds of what a process remembers of the fields of providers' records. */
export const fieldLimits = {
  /** Operations of providers. One more drops the one that is known for longest. */
  maxOperations: 500,
  /** Fields of an operation. Where there are more, keys are data, and none is reported any more. */
  maxFields: 1_000,
  /** Integrations of an operation that are known. One more drops the one that is known for longest, whose records are learned again. */
  maxIntegrations: 200,
  /** Records of an integration that are learned: their fields are not new. */
  learnedRecords: 200,
  /** Records of one response that are learned. */
  learnedPerResponse: 10,
  /** Behind those, one of so many records is looked at. */
  sampleEvery: 32,
} as const;

/** How far the records of an integration are learned. */
interface Learning {
  records: number;
}

/** The fields that a process has seen in the records of one operation of a provider. */
class OperationFields {
  private readonly hashes = new Set<number>();
  private readonly integrations = new Map<string, Learning>();
  private count = 0;

  learningOf(integrationId: string): Learning {
    const known = this.integrations.get(integrationId);
    if (known !== undefined) return known;
    const [oldest] = this.integrations.keys();
    if (oldest !== undefined && this.integrations.size >= fieldLimits.maxIntegrations)
      this.integrations.delete(oldest);
    const made = { records: 0 };
    this.integrations.set(integrationId, made);
    return made;
  }

  isSampled(): boolean {
    this.count += 1;
    return this.count % fieldLimits.sampleEvery === 0;
  }

  /** Returns the paths of leaves that were not seen before, and remembers them. */
  findNew(record: ProviderRecord): string[] {
    const found: string[] = [];
    visitLeaves(record, ({ hash, isEmpty, names }) => {
      if (this.hashes.has(hash)) return;
      const shown = hideDataNames(names);
      if (this.remember(hashPath(shown)) && !isEmpty && !this.isBelowEmpty(shown))
        found.push(writePath(shown));
      if (isEmpty) this.remember(hashPath([...shown, emptyMark]));
    });
    return found;
  }

  /** Remembers a hash. @returns true if it is new */
  remember(hash: number): boolean {
    if (this.hashes.has(hash) || this.hashes.size >= fieldLimits.maxFields) return false;
    this.hashes.add(hash);
    return true;
  }

  /** True if one of the fields above was null or empty before: its inner fields were not there to be seen. */
  private isBelowEmpty(names: readonly string[]): boolean {
    return names.some((_, index) =>
      this.hashes.has(hashPath([...names.slice(0, index + 1), emptyMark])),
    );
  }
}

/** Stands behind the path of a field that was null or empty. No name of a field has this character. */
const emptyMark = '\u0000';

/**
 * Finds fields of providers' records that a process has not seen before. The fields of an operation are known by all integrations of
 * the provider, but the first records of each are learned only: customers have fields of their own.
 */
export class KnownFields {
  private readonly operations = new Map<string, OperationFields>();

  /** Looks at the records of one response. @param key identifies the operation and whose document has it */
  ofResponse(key: string, integrationId: string): ResponseFields {
    let fields = this.operations.get(key);
    if (fields === undefined) {
      const [oldest] = this.operations.keys();
      if (oldest !== undefined && this.operations.size >= fieldLimits.maxOperations)
        this.operations.delete(oldest);
      this.operations.set(key, (fields = new OperationFields()));
    }
    return new ResponseFields(fields, fields.learningOf(integrationId));
  }
}

/** The records of one response. */
export class ResponseFields {
  private learned = 0;

  constructor(
    private readonly fields: OperationFields,
    private readonly learning: Learning,
  ) {}

  /** Returns the paths of leaves that were not seen before; of most records none, because they are not looked at. */
  findNew(record: ProviderRecord): string[] {
    const { fields, learning } = this;
    if (learning.records >= fieldLimits.learnedRecords)
      return fields.isSampled() ? fields.findNew(record) : [];
    if (this.learned >= fieldLimits.learnedPerResponse) return [];
    this.learned += 1;
    learning.records += 1;
    fields.findNew(record);
    return [];
  }

  /** True for a field whose value is unknown now, and was not before. */
  isNewlyUnknown(name: string): boolean {
    const isNew = this.fields.remember(hashPath([name, unknownMark]));
    return isNew && this.learning.records >= fieldLimits.learnedRecords;
  }
}

/** Stands behind the name of a field whose value was unknown. */
const unknownMark = '\u0001';
