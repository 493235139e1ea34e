import type { ResolvedChain } from '#bus';
import { ApiError, fitRecord, type Misfit, validateRecord } from '#contract';
import { formatJson, LimitError } from '@onefold/mapping';
import { estimateValue, memoryFailure, ResponseMemoryExhausted } from '#provider-http';
import type { Cursors } from '#secrets';
import { readPage } from '../lists/lists.js';
import type { ListPage, ListResult, MapRecord, Row } from '../lists/page.js';
import { findChain, locateField, mapRecord } from './mapping-chain.js';
import { MappingFailed, mappingFailed } from './mapping-failed.js';
import type { OperationRun } from '../operation-run.js';
import type { ProviderRecord } from '../provider-record.js';
import type { FaultOutcome, RecordChecks } from './record-checks.js';
import { recordIdOf } from './record-id.js';
import { mapInSlices } from './slices.js';

/** A record that reaches a limit of mappings has cost much: a list with more of them ends as an error. */
const maxCostlyRecords = 3;
/** Fields of one record that are named; a record can have any number of wrong ones. */
const maxFieldsOfRecord = 20;
/** The kind of the problems that name records which are not in a list. */
const leftOut = 'record-left-out';
const maxIdLength = 100;
const maxValueLength = 200;
/** A record of a response. */
interface Place {
  /** Counted from one, in the order in which the response reads them. */
  number: number;
  id: string | undefined;
}

/** The record of a response, or the records of its page. */
interface ReadRecords extends Omit<ListPage, 'rows'> {
  result: ProviderRecord | ProviderRecord[];
}

/** Reads the record or the records of a response, in the shape that the caller gets. @throws ApiError */
export async function readRecords(
  run: OperationRun,
  found: ListResult | { record: ProviderRecord },
  cursors: Cursors,
  checks: RecordChecks | undefined,
): Promise<ReadRecords> {
  const { operation, integration, offered, meta } = run;
  const chain = findChain(integration, operation.id);
  meta.applied(
    operation.id,
    chain.map(({ reference }) => reference),
  );
  // The chain of a write maps the request; the written record is returned by the provider's own mapping.
  const writes = offered.action === 'create' || offered.action === 'patch';
  const reader = new RecordReader(run, writes ? [{ reference: 'default:0' }] : chain, checks);
  return 'record' in found
    ? { result: reader.readRecord(found.record) }
    : await reader.readList(found, cursors);
}

/**
 * Reads the records of one response: maps each, and holds it against the contract. One record does not take the others of a list with it:
 * what does not fit moves to its `unmapped`, and a record that cannot be had is left out. Both are named in the problems of the run. Where
 * checks are strict, as in verification, the response is an error instead.
 */
class RecordReader {
  private count = 0;
  private costly = 0;
  private readonly misfits = new WeakMap<
    ProviderRecord,
    { place: Place; all: readonly Misfit[] }
  >();
  private readonly refused: { place: Place; error: MappingFailed }[] = [];

  /** @param chain the mappings of each record @param checks without them records are not held against the contract */
  constructor(
    private readonly run: OperationRun,
    private readonly chain: ResolvedChain['mappings'],
    private readonly checks: RecordChecks | undefined,
  ) {}

  /** Reads the record of an operation that has one. @throws ApiError 502 if a mapping drops it, or if it was read without a field that must be there */
  readRecord(providerRecord: ProviderRecord): ProviderRecord {
    const { usage, meta, trace } = this.run;
    const record = usage.work(() => this.withRaw(this.single(providerRecord), providerRecord));
    if (meta.wantsCounts) meta.count(record);
    trace?.show([providerRecord]);
    return record;
  }

  private single(providerRecord: ProviderRecord): ProviderRecord {
    const { run, checks } = this;
    const record = this.map(providerRecord);
    if (record === undefined)
      throw mappingFailed(this.mapping, 'it drops the record that was asked for');
    const fault = checks && validateRecord(run.call.operation, record);
    if (checks === undefined || fault === undefined) return record;
    const { record: fitted, misfits } = fitRecord(run.call.operation, record);
    const { pointer, message } = (fitted === undefined ? misfits.at(-1) : undefined) ?? fault;
    const why = this.sentence(pointer, message);
    // After a write the provider has done what was asked: an error would make the caller do it again.
    const isRefused = fitted === undefined && run.operation.method === 'GET';
    if (checks.isStrict || isRefused)
      throw mappingFailed(this.mapping, this.sentenceWithLine(pointer, message));
    const place = this.placeOf(record);
    this.noteFault(this.mapping, fitted === undefined ? 'left_out' : 'fitted', why);
    run.drift?.noteMisfits(misfits);
    for (const misfit of misfits.slice(0, maxFieldsOfRecord))
      run.problems.add(this.problemOf(place, misfit));
    return fitted ?? record;
  }

  /**
   * Reads the page of a list that the caller requested. @throws ApiError 502 that says which records did not fit, where checks are strict
   */
  async readList(found: ListResult, cursors: Cursors): Promise<ReadRecords> {
    const { run } = this;
    const { rows, ...page } = await readPage(run, found, cursors, this.mapOfList);
    const shown = await mapInSlices(rows, run.usage, this.show);
    this.finish();
    run.trace?.show(rows.map(({ providerRecord }) => providerRecord));
    return { ...page, result: shown.filter((record) => record !== undefined) };
  }

  /**
   * Maps a record of a list; undefined if a mapping drops it, or if it is left out. Records of the domain `custom` are free, whichever
   * operation they are of. @throws ApiError if that is not for this record alone
   */
  private readonly mapOfList: MapRecord = (providerRecord, isNamed = true) => {
    this.count += 1;
    try {
      const record = this.map(providerRecord);
      return record === undefined ? undefined : this.fitOfList(providerRecord, record, isNamed);
    } catch (error) {
      if (!(error instanceof MappingFailed)) throw error;
      if (isCostly(error)) this.costly += 1;
      if (this.costly > maxCostlyRecords) throw error;
      this.leaveOut(providerRecord, this.placeOf(providerRecord), error, isNamed);
      return undefined;
    }
  };

  /** Makes of a row what the caller gets; undefined if there is nothing of it. */
  private readonly show = ({
    providerRecord,
    record = this.mapOfList(providerRecord),
  }: Row): ProviderRecord | undefined => {
    if (record === undefined) return undefined;
    this.name(record);
    return this.withRaw(record, providerRecord);
  };

  /** Adds the provider record, where the request asks for it. */
  private withRaw(record: ProviderRecord, providerRecord: ProviderRecord): ProviderRecord {
    const { raw } = this.run;
    if (raw === undefined) return record;
    return { ...record, raw_data: raw === 'text' ? formatJson(providerRecord) : providerRecord };
  }

  /** Names what did not fit in a record that the response has. */
  private name(record: ProviderRecord): void {
    const found = this.misfits.get(record);
    if (found === undefined) return;
    for (const misfit of found.all.slice(0, maxFieldsOfRecord))
      this.run.problems.add(this.problemOf(found.place, misfit));
  }

  /** Ends a list. @throws ApiError 502 where checks are strict and records did not fit */
  private finish(): void {
    const { run, refused, checks } = this;
    const [first] = refused;
    const gap = checks?.isStrict ? run.problems.firstOf(leftOut) : undefined;
    if (gap !== undefined) throw new ApiError(502, gap.message, {});
    if (first === undefined) return;
    const { error } = first;
    const names = refused.slice(0, maxFieldsOfRecord).map(({ place }) => describe(place));
    const rest = refused.length - names.length;
    const all = `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    if (checks?.isStrict !== true) {
      run.incomplete = `${refused.length} of ${this.count} records of ${run.operation.id} were left out: ${error.message}`;
      return;
    }
    const options = { ...error.options, cause: error };
    throw new MappingFailed(error.reference, `${error.problem}, in ${all}`, options);
  }

  private map(providerRecord: ProviderRecord): ProviderRecord | undefined {
    const { offered, integration, context, trace, drift } = this.run;
    const steps = trace?.reads(providerRecord);
    const { additionalMappings } = integration;
    try {
      const record = mapRecord(
        providerRecord,
        this.chain,
        offered,
        additionalMappings,
        context,
        steps,
      );
      drift?.look(providerRecord, record);
      if (record !== undefined) this.run.memory?.take(estimateValue(record));
      return record;
    } catch (error) {
      if (error instanceof ResponseMemoryExhausted)
        throw memoryFailure(integration.providerType, error);
      if (error instanceof Error) throw error;
      throw mappingFailed(this.mapping, String(error), error);
    }
  }

  private fitOfList(
    providerRecord: ProviderRecord,
    record: ProviderRecord,
    isNamed: boolean,
  ): ProviderRecord | undefined {
    const { run, checks } = this;
    const fault = checks && validateRecord(run.call.operation, record);
    if (checks === undefined || fault === undefined) return record;
    const place = this.placeOf(record, providerRecord);
    const { record: fitted, misfits } = fitRecord(run.call.operation, record);
    if (fitted === undefined || checks.isStrict) {
      const { pointer, message } = misfits.at(-1) ?? fault;
      const error = mappingFailed(this.mapping, this.sentenceWithLine(pointer, message));
      this.leaveOut(providerRecord, place, error, isNamed);
      return undefined;
    }
    this.noteFault(this.mapping, 'fitted', this.sentence(fault.pointer, fault.message));
    run.drift?.noteMisfits(misfits);
    this.misfits.set(fitted, { place, all: misfits });
    return fitted;
  }

  private leaveOut(
    providerRecord: ProviderRecord,
    place: Place,
    error: MappingFailed,
    isNamed: boolean,
  ): void {
    const { run, checks } = this;
    this.refused.push({ place, error });
    if (checks?.isStrict || !isNamed) return;
    this.noteFault(error.reference, 'left_out', error.message);
    const { remediation } = error.options;
    run.problems.add({
      message: `${describe(place)} was left out: ${error.message}`,
      detail:
        'The others are here, and the cursor goes on behind it. With include_raw_data, raw_error is the record as the provider sent it.',
      ...(remediation === undefined ? {} : { remediation }),
      instance: leftOut,
      context: {
        ...(run.raw === undefined ? {} : { raw_error: formatJson(providerRecord) }),
        provider_details: detailsOf(place, error.reference),
      },
    });
  }

  private noteFault(mapping: string, outcome: FaultOutcome, problem: string): void {
    const { integration, clock } = this.run;
    this.checks?.note(integration, { mapping, outcome, problem }, clock.now());
  }

  private problemOf(place: Place, { pointer, message, outcome, value }: Misfit) {
    const what = {
      moved: 'is in unmapped instead',
      derived: 'was derived from other fields',
      missing: 'is not as the contract has it',
    }[outcome];
    const { redactor } = this.run;
    const line = this.lineOf(pointer);
    const shown = value === undefined ? '' : redactor.text(formatJson(value));
    return {
      message: `${pointer} of ${describe(place)} ${what}: it ${message}`,
      instance: outcome === 'derived' ? 'field-derived' : 'field-not-fitting',
      context: {
        provider_details: {
          ...detailsOf(place, this.mapping),
          field: pointer,
          ...(line === undefined ? {} : { line }),
          ...(shown === '' ? {} : { value: shown.slice(0, maxValueLength) }),
        },
      },
    };
  }

  private placeOf(...records: readonly ProviderRecord[]): Place {
    const { redactor } = this.run;
    const ids = records.flatMap((record) => recordIdOf(record) ?? []);
    return {
      number: this.count,
      id: ids[0] === undefined ? undefined : redactor.text(ids[0]).slice(0, maxIdLength),
    };
  }

  private sentence(pointer: string, message: string): string {
    return `the field ${pointer || '/'} of ${this.run.operation.id} ${message}`;
  }

  private sentenceWithLine(pointer: string, message: string): string {
    const line = this.lineOf(pointer);
    return this.sentence(pointer, message) + (line === undefined ? '' : ` (${line})`);
  }

  /** Describes the line of a mapping that sets a field of the record. */
  private lineOf(pointer: string): string | undefined {
    const path = pointer.split('/').slice(1);
    return locateField(this.chain, this.run.offered, path);
  }

  private get mapping(): string {
    return this.chain.map(({ reference }) => reference).join(', ');
  }
}

function detailsOf({ number, id }: Place, mapping: string): Record<string, string> {
  return { record: String(number), ...(id === undefined ? {} : { record_id: id }), mapping };
}

function describe({ number, id }: Place): string {
  const one = number === 0 ? 'the record' : `record ${number}`;
  return id === undefined ? one : `${one} (id ${id})`;
}

function isCostly({ options }: MappingFailed): boolean {
  return (options.cause as { cause?: unknown } | undefined)?.cause instanceof LimitError;
}
