import { formatJson } from '@onefold/mapping';
import type { TracedRecord } from '#meta';
import type { Redactor } from '#provider-http';
import type { ProviderRecord } from '../provider-record.js';

/** Maximum number of characters of all records of a trace together, as JSON. */
const maxTrace = 1_000_000;

/** The output of a mapping; undefined if it drops the record. */
export interface MappedStep {
  mapping: string;
  output: unknown;
}

/** A record, and what each mapping made of it. */
interface MappedRecord {
  direction: TracedRecord['direction'];
  input: unknown;
  steps: readonly MappedStep[];
}

/** Keeps what the mappings of a request made of its records. There is none where nobody asks for it. */
export class MappingTrace {
  private written: MappedRecord | undefined;
  /** By the record, so that those that filters drop are forgotten. */
  private readonly read = new WeakMap<ProviderRecord, MappedStep[]>();
  private shown: readonly MappedRecord[] = [];

  constructor(private readonly maxRecords: number) {}

  /** Returns the list for the steps of a body; a second try of a request replaces the first. */
  writes(input: ProviderRecord): MappedStep[] {
    const steps: MappedStep[] = [];
    this.written = { direction: 'request', input, steps };
    return steps;
  }

  /** Returns the list for the steps of a record of the provider. */
  reads(input: ProviderRecord): MappedStep[] {
    const steps: MappedStep[] = [];
    // A provider may send a text in place of a record, which its mapping refuses by name.
    if (typeof input === 'object' && input !== null) this.read.set(input, steps);
    return steps;
  }

  /** Chooses the records that are shown, after they were mapped: the first of a page. */
  show(records: readonly ProviderRecord[]): void {
    this.shown = records.slice(0, this.maxRecords).map((input) => ({
      direction: 'response',
      input,
      steps: this.read.get(input) ?? [],
    }));
  }

  /** Renders the trace, without the secrets that were used meanwhile. */
  render(redactor: Redactor): TracedRecord[] {
    let left = maxTrace;
    const fitting = <Name extends 'input' | 'output'>(name: Name, value: unknown) => {
      if (value === undefined) return {};
      const safe = withoutSecrets(value, redactor);
      left -= formatJson(safe).length;
      return left < 0 ? { truncated: true } : ({ [name]: safe } as Record<Name, unknown>);
    };
    return [...(this.written ? [this.written] : []), ...this.shown].map(
      ({ direction, input, steps }) => ({
        direction,
        ...fitting('input', input),
        steps: steps.map(({ mapping, output }) => ({
          mapping,
          dropped: output === undefined,
          ...fitting('output', output),
        })),
      }),
    );
  }
}

/** A copy of a value in which texts, names and numbers that contain a secret are masked. */
function withoutSecrets(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value);
    const safe = redactor.text(text);
    return safe === text ? value : safe;
  }
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, redactor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      redactor.text(name),
      withoutSecrets(one, redactor),
    ]),
  );
}
