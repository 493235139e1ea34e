import { matchesAny } from './matches.js';
import type { MetaCalls } from './meta-calls.js';

/** One response of a provider, as it was received. */
export interface ProviderAnswer {
  url: string;
  text: string;
  /** True for the response that the result is built from. */
  primary: boolean;
}

/** A record on its way through the mappings. Values that are too large for the response are absent and `truncated`. */
export interface TracedRecord {
  /** `request`: from our shape to the provider's; `response`: from the provider's to ours. */
  direction: 'request' | 'response';
  input?: unknown;
  truncated?: boolean;
  steps: TracedStep[];
}

export interface TracedStep {
  /** Reference of the mapping, `name:version`. */
  mapping: string;
  output?: unknown;
  /** True if the mapping drops the record, so that no other one runs. */
  dropped: boolean;
  truncated?: boolean;
}

/** The `meta` object of a response, as the contract defines it. */
export interface MetaAnswer {
  stats?: { count: Record<string, number> };
  api?: {
    response: {
      primary?: { url: string; endpoint: string; response: string };
      list?: Record<string, string[]>;
    };
  };
  mapping?: { chains?: Record<string, string[]>; trace?: Record<string, TracedRecord[]> };
}

/** Collects what the meta functions of a request ask for, and nothing else, while the request runs. */
export class MetaCollector {
  private primary: ProviderAnswer | undefined;
  private readonly list: Record<string, string[]> = {};
  private readonly counts: Record<string, number> = {};
  private readonly chains: Record<string, string[]> = {};
  private readonly traces: Record<string, TracedRecord[]> = {};

  constructor(readonly calls: MetaCalls) {
    if (calls.counts.some((fields) => fields.length === 0)) this.counts['*'] = 0;
  }

  /** True when provider responses must be kept as text. */
  get wantsAnswers(): boolean {
    return this.calls.responses !== undefined;
  }

  /** True when every record that matches the filter must be read, not only those of the page. */
  get wantsCounts(): boolean {
    return this.calls.counts.length > 0;
  }

  /** Keeps a provider response if the request asked for it. */
  answered(answer: ProviderAnswer): void {
    const { responses } = this.calls;
    if (responses === undefined) return;
    if (responses.primary && answer.primary) this.primary = answer;
    if (responses.list && matchesAny(responses.urls, answer.url))
      (this.list[answer.url] ??= []).push(answer.text);
  }

  /** Counts a normalized record. */
  count(record: object): void {
    for (const fields of this.calls.counts) {
      const key =
        fields.length === 0
          ? '*'
          : fields.map((field) => `${field}:${asText(valueAt(record, field))}`).join(',');
      this.counts[key] = (this.counts[key] ?? 0) + 1;
    }
  }

  /** Notes the mappings of an operation in the order in which they are applied, each as `name:version`. */
  applied(operationId: string, references: readonly string[]): void {
    if (this.calls.chains !== undefined && matchesAny(this.calls.chains, operationId))
      this.chains[operationId] = [...references];
  }

  /** Keeps the ways of the records of an operation through its mappings. */
  traced(operationId: string, records: readonly TracedRecord[]): void {
    this.traces[operationId] = [...records];
  }

  /** Builds the `meta` object of the response; undefined when no meta function produces output. */
  render(): MetaAnswer | undefined {
    const { responses, chains, tracedRecords } = this.calls;
    const meta: MetaAnswer = {};
    if (this.wantsCounts) meta.stats = { count: this.counts };
    if (responses !== undefined) {
      const { url, text } = this.primary ?? {};
      meta.api = {
        response: {
          // The specification calls it `url`, but published clients read `endpoint`.
          ...(url === undefined || text === undefined
            ? {}
            : { primary: { url, endpoint: url, response: text } }),
          ...(responses.list ? { list: this.list } : {}),
        },
      };
    }
    if (chains !== undefined) meta.mapping = { chains: this.chains };
    if (tracedRecords !== undefined) meta.mapping = { ...meta.mapping, trace: this.traces };
    return Object.keys(meta).length === 0 ? undefined : meta;
  }
}

function valueAt(record: object, field: string): unknown {
  let value: unknown = record;
  for (const key of field.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}
