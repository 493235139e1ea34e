import { type Operation, type Problem, recordOutline, type RecordOutline } from '#contract';
import type { FakeResponse } from '#fakes';
import { identityOf } from '../record-identity.js';
import { faultsOfResponse } from '../validate-response.js';
import type { Answered, OverFake } from '../over-fake/over-fake.js';
import type { Answer } from '../over-fake/over-provider.js';
import type { Read } from './find-reads.js';
import {
  changeAt,
  changesOf,
  type Json,
  type Path,
  type Place,
  placesOf,
  type Scalar,
  type To,
  unknownText,
  valueAt,
  writeAnswer,
} from './variants.js';

/** The outcome of the variants of an operation's answers. */
export interface Varied {
  variants: number;
  /** Variants that cost what cannot be had without the value, and were told: the record's id, what the contract requires, a page's frame. */
  refused: number;
  faults: string[];
}

/** Items of a list that are kept: more than there are kinds of changes. */
const maxItems = 14;

/** One value of an answer that is changed. */
interface Change {
  name: string;
  path: Path;
  to: To;
}

/**
 * Runs a read again for each value of each answer, with the value changed: no single value may cost the page or the record, make a response
 * that breaks the contract, or come out in another field.
 * @param maxPlaces values of each answer that are changed; the first of the answer, then evenly spread
 */
export async function varyRead(
  over: OverFake,
  { operation, request }: Read,
  maxPlaces = Infinity,
): Promise<Varied> {
  const varied: Varied = { variants: 0, refused: 0, faults: [] };
  const base = await runWithShortLists(over, { operation, request });
  const recorded = over.answered ?? [];
  const seen = new Set<string>();
  for (const [index, { response, key }] of recorded.entries()) {
    const answer = readAnswer(response);
    // Equal requests, and those that differ in the id of a record alone, have answers of the same shape.
    const places = placesOf(answer ?? null).filter(
      ({ name }) => !seen.has(`${kindOf(key)} ${name}`),
    );
    for (const { name } of places) seen.add(`${kindOf(key)} ${name}`);
    const step = Math.max(1, Math.ceil(places.length / maxPlaces));
    for (const place of places.filter((_one, at) => at % step === 0))
      for (const round of roundsOf(answer ?? null, place)) {
        const judge = new Judge(operation, base, answer ?? null, place);
        const run = async (changes: readonly Change[]) => {
          const changed = structuredClone(answer ?? null);
          for (const { path, to } of changes) changeAt(changed, path, to);
          const body = Buffer.from(writeAnswer(changed));
          over.answer = answerFrom(recorded, { index, response: { ...response, body } });
          return judge.judge(await runAgain(over, { operation, request }), changes);
        };
        const together = await run(round);
        const alone =
          together.faults.length === 0 && together.refused === 0
            ? [together]
            : await inTurn(round, (change) => run([change]));
        varied.variants += round.length;
        for (const { refused, faults } of alone) {
          varied.refused += refused;
          varied.faults.push(...faults);
        }
      }
  }
  over.answer = undefined;
  return varied;
}

/** Runs a read whose answers have no more items in a list than there are kinds of changes, if it ends as with all of them. */
async function runWithShortLists(over: OverFake, { operation, request }: Read): Promise<Answer> {
  over.answer = undefined;
  const whole = await runAgain(over, { operation, request });
  const short = (over.answered ?? []).map(({ key, response }) => {
    const answer = readAnswer(response);
    if (answer === undefined) return { key, response };
    return { key, response: { ...response, body: Buffer.from(writeAnswer(cutLists(answer))) } };
  });
  over.answer = answerFrom(short);
  const cut = await runAgain(over, { operation, request });
  if (cut.status === whole.status && recordsOf(cut).length > 0) return cut;
  over.answer = undefined;
  return await runAgain(over, { operation, request });
}

/** Runs a read, with its requests counted from 0. */
async function runAgain(over: OverFake, { operation, request }: Read): Promise<Answer> {
  over.answered = [];
  return await over.answerTo(operation.id, request);
}

function cutLists(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isOfObjects = typeof value[0] === 'object';
    return (isOfObjects ? value.slice(0, maxItems) : value).map(cutLists);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cutLists(one)]));
}

async function inTurn<T>(
  changes: readonly Change[],
  run: (change: Change) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const change of changes) results.push(await run(change));
  return results;
}

/** Answers as they were recorded, but one of them. */
function answerFrom(
  recorded: readonly Answered[],
  changed?: { index: number; response: FakeResponse },
): OverFake['answer'] {
  return (key, index) => {
    if (recorded[index]?.key !== key) return recorded.find((one) => one.key === key)?.response;
    return index === changed?.index ? changed.response : recorded[index].response;
  };
}

/** A request without what tells records apart. */
function kindOf(key: string): string {
  const [address = ''] = key.split('?');
  const parts = address.split(/[/ ]/);
  return parts.map((part) => (/\d/.test(part) ? '*' : part)).join('/');
}

function readAnswer({ body, headers }: FakeResponse): Json | undefined {
  if (!/json/.test(headers['content-type'] ?? '') || body.length === 0) return undefined;
  return JSON.parse(Buffer.from(body).toString()) as Json;
}

/** Spreads the changes of a place over the items of its list, so that each run changes one value of each item at most. */
function roundsOf(answer: Json, { paths }: Place): Change[][] {
  const byPath = paths.map((path) => ({ path, changes: changesOf(valueAt(answer, path) ?? null) }));
  const left = new Set(byPath.flatMap(({ changes }) => changes.map(({ name }) => name)));
  const rounds: Change[][] = [];
  while (left.size > 0) {
    const round = byPath.flatMap(({ path, changes }): Change[] => {
      const change = changes.find(({ name }) => left.has(name));
      if (change === undefined) return [];
      left.delete(change.name);
      return [{ ...change, path }];
    });
    if (round.length === 0) break;
    rounds.push(round);
  }
  return rounds;
}

/** Judges the outcome of changed values of one place. */
class Judge {
  private readonly records: Json[];
  private readonly required: Set<string>;

  constructor(
    private readonly operation: Operation,
    private readonly base: Answer,
    private readonly answer: Json,
    private readonly place: Place,
  ) {
    this.records = recordsOf(base);
    const outline = recordOutline(operation.id);
    this.required = new Set(this.records.flatMap((one) => requiredOf(one, outline)));
  }

  judge(ran: Answer, changes: readonly Change[]): Omit<Varied, 'variants'> {
    const told = (text: string) => {
      const names = changes.map(({ name }) => name).join(', ');
      return {
        refused: 0,
        faults: [`${this.operation.id}: ${this.place.name} as ${names}: ${text}`],
      };
    };
    const { status, body } = ran;
    // The frame of a list is beside its records: without it nothing of the page can be told.
    const isFrame = this.isList() && !this.place.name.includes('*');
    if (status !== this.base.status) {
      if (status === 500) return told(`it ends with status ${status}`);
      return isFrame || this.isRequired(changes)
        ? { refused: changes.length, faults: [] }
        : told(`it costs everything: ${status} ${String((body as { message?: string }).message)}`);
    }
    const wrong = faultsOfResponse(this.operation, status, body);
    if (wrong.length > 0) return told(`the response breaks the contract: ${wrong[0]}`);
    const got = recordsOf(ran);
    if (got.length < this.records.length) {
      const [problem] = problemsOf(ran);
      if (isFrame || (problem !== undefined && this.isRequired(changes)))
        return { refused: changes.length, faults: [] };
      return told(
        `${this.records.length - got.length} records are lost: ${problem ?? 'without a word'}`,
      );
    }
    const moved = changes.flatMap(({ name, path }) =>
      name === 'an unknown text' ? this.movedTo(got, path) : [],
    );
    return moved.length > 0
      ? told(`the value comes out at ${moved.join(', ')}`)
      : { refused: 0, faults: [] };
  }

  private isList(): boolean {
    return Array.isArray((this.base.body as { result?: unknown }).result);
  }

  /** Whether values that are changed identify the record, or are what the contract requires of it. */
  private isRequired(changes: readonly Change[]): boolean {
    return changes.every(({ path }) =>
      leavesOf(valueAt(this.answer, path) ?? null).some(({ value }) =>
        formsOf(value).some((form) => this.required.has(form) || this.isPartOfIdentity(form)),
      ),
    );
  }

  /** Ids that vendors give within another record are joined with its id. */
  private isPartOfIdentity(form: string): boolean {
    return (
      form.length > 4 && this.records.some((one) => identityOf(one).toLowerCase().includes(form))
    );
  }

  /** Places with the unknown text in which the value was not before. */
  private movedTo(got: readonly Json[], path: Path): string[] {
    const before = textOf(valueAt(this.answer, path) ?? null).toLowerCase();
    const old = this.records.flatMap((one) =>
      leavesOf(one).filter(({ value }) => String(value).toLowerCase().includes(before)),
    );
    const was = new Set(old.map(({ at }) => at));
    return got.flatMap((record) => {
      const present = new Set(leavesOf(record).map(({ at }) => at));
      return leavesOf(record)
        .filter(({ value }) => String(value).includes(unknownText))
        .map(({ at }) => at)
        .filter((at) => !/^\/(?:unmapped|raw_data|custom_fields|enrichments)/.test(at))
        .filter((at) => !was.has(at) && !present.has(`${at}_id`));
    });
  }
}

function recordsOf(answer: Answer): Json[] {
  const { result = answer.body } = (answer.body ?? {}) as { result?: unknown };
  return (Array.isArray(result) ? result : [result ?? null]) as Json[];
}

function problemsOf(answer: Answer): string[] {
  const { messages } = (answer.body ?? {}) as { messages?: { problems?: Problem[] } };
  return (messages?.problems ?? []).map(({ message, detail }) => `${message} ${detail ?? ''}`);
}

/** The values of what identifies a record, and of what the contract requires in it, in the forms in which a provider may have them. */
function requiredOf(record: Json, outline: RecordOutline | undefined): string[] {
  // The contract leaves some records free that are of an OCSF class.
  const own = outline?.required ?? ['time'];
  const inside = (record ?? {}) as Record<string, Json>;
  const values = own.flatMap((name) => {
    const inner = outline?.inside(name);
    return inner === undefined
      ? leavesOf(inside[name] ?? null).flatMap(({ value }) => formsOf(value))
      : requiredOf(inside[name] ?? null, inner);
  });
  return [...values, identityOf(record).toLowerCase()];
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formsOf(value: Scalar): string[] {
  const text = String(value).toLowerCase();
  const time = typeof value === 'string' ? Date.parse(value) : Number(value);
  const times =
    Number.isNaN(time) || Math.abs(time) < 1e8
      ? []
      : [time, time * 1000, time / 1000].map((one) => `t${Math.floor(one / 1000)}`);
  return [text, ...times];
}

function leavesOf(value: Json, at = ''): { at: string; value: Scalar }[] {
  if (typeof value !== 'object' || value === null) return [{ at, value }];
  return Object.entries(value).flatMap(([name, one]) =>
    leavesOf(one, `${at}/${Array.isArray(value) ? '*' : name}`),
  );
}
