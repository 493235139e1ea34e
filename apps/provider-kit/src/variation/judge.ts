import { type Operation, type Problem, recordOutline, type RecordOutline } from '#contract';
import { leavesOf } from '../leaves.js';
import { identityOf } from '../record-identity.js';
import { faultsOfResponse } from '../validate-response.js';
import type { Answer } from '../over-fake/over-provider.js';
import type { Read } from './find-reads.js';
import {
  type Json,
  type Path,
  type Place,
  type Scalar,
  type To,
  unknownText,
  valueAt,
} from './variants.js';

/** The outcome of changed values. */
export interface Judgement {
  /** Changes that cost what cannot be had without the value, and were reported: the record's id, what the contract requires, a page's frame. */
  refused: number;
  faults: string[];
}

/** One value of an answer that is changed. */
export interface Change {
  name: string;
  path: Path;
  to: To;
}

/** Judges the outcome of changed values of one place. */
export class Judge {
  private readonly records: Json[];
  private readonly operation: Operation;
  private readonly required: Set<string>;

  constructor(
    { operation, request: { path = {} } }: Read,
    private readonly base: Answer,
    private readonly answer: Json,
    private readonly place: Place,
  ) {
    this.operation = operation;
    this.records = recordsOf(base);
    const outline = recordOutline(operation.id);
    // A record that is asked for by its id cannot be found without it.
    const asked = Object.values(path).flatMap((one) => formsOf(String(one)));
    this.required = new Set([...this.records.flatMap((one) => requiredOf(one, outline)), ...asked]);
  }

  judge(ran: Answer, changes: readonly Change[]): Judgement {
    const faultIn = (text: string) => this.faultIn(changes, text);
    const { status, body } = ran;
    // The frame of a list is beside its records: without it nothing of the page can be judged.
    const isFrame = this.isList() && !this.place.name.includes('*');
    if (status !== this.base.status) {
      if (status === 500) return faultIn(`it ends with status ${status}`);
      // A list of several records goes on without one of them.
      const isAlone = this.records.length === 1;
      return isFrame || (isAlone && this.isRequired(changes))
        ? { refused: changes.length, faults: [] }
        : faultIn(
            `it costs everything: ${status} ${String((body as { message?: string }).message)}`,
          );
    }
    const wrong = faultsOfResponse(this.operation, status, body);
    if (wrong.length > 0) return faultIn(`the response breaks the contract: ${wrong[0]}`);
    const got = recordsOf(ran);
    if (got.length < this.records.length) {
      const [problem] = problemsOf(ran);
      const isTold = problem !== undefined && this.isRequired(changes);
      if (isFrame || isTold || this.wereRows(got, changes))
        return { refused: changes.length, faults: [] };
      return faultIn(
        `${this.records.length - got.length} records are lost: ${problem ?? 'without a word'}`,
      );
    }
    return { refused: 0, faults: [] };
  }

  /** Places of the records in which an unknown text comes out, and in which the value was not. */
  movedIn(ran: Answer, changes: readonly Change[]): string[] {
    const got = recordsOf(ran);
    return changes.flatMap(({ name, path }) =>
      name === 'an unknown text' ? this.movedTo(got, path) : [],
    );
  }

  /** Judges places in which an unknown text comes out. What differs without the value is made of it, such as a name of a path. */
  judgeMoved(places: readonly string[], without: Answer, changes: readonly Change[]): Judgement {
    const before = valuesByPlace(this.records);
    const after = valuesByPlace(recordsOf(without));
    const moved = places.filter((at) => before.get(at) === after.get(at));
    return moved.length === 0
      ? { refused: 0, faults: [] }
      : this.faultIn(changes, `the value comes out at ${moved.join(', ')}`);
  }

  private faultIn(changes: readonly Change[], text: string): Judgement {
    const names = changes.map(({ name }) => name).join(', ');
    return {
      refused: 0,
      faults: [`${this.operation.id}: ${this.place.name} as ${names}: ${text}`],
    };
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

  /** Whether the records that are lost were rows of lists that the changes took away, or left one row of. */
  private wereRows(got: readonly Json[], changes: readonly Change[]): boolean {
    const lists = changes.map(({ path }) => valueAt(this.answer, path));
    const ids = lists.flatMap((rows) =>
      Array.isArray(rows) ? leavesOf(rows).map(({ value }) => String(value).toLowerCase()) : [],
    );
    const kept = new Set(got.map(identityOf));
    const lost = this.records.map(identityOf).filter((id) => !kept.has(id));
    return lost.every((id) => ids.some((one) => one !== '' && id.toLowerCase().includes(one)));
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
    // Nothing tells where an empty text would come out, or HTML that shows nothing.
    if (before.replace(/<[^<>]*>/g, '').trim() === '') return [];
    const old = this.records.flatMap((one) =>
      leavesOf(one).filter(({ value }) => String(value).toLowerCase().includes(before)),
    );
    const was = new Set(old.map(({ place }) => place));
    return got.flatMap((record) => {
      const present = new Set(leavesOf(record).map(({ place }) => place));
      return leavesOf(record)
        .filter(({ value }) => String(value).includes(unknownText))
        .map(({ place }) => place)
        .filter((at) => !/^\/(?:unmapped|raw_data|custom_fields|enrichments)/.test(at))
        .filter((at) => !was.has(at) && !present.has(`${at}_id`));
    });
  }
}

/** The values of all records by their place, as text that tells whether they are the same. */
function valuesByPlace(records: readonly Json[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const record of records)
    for (const { place, value } of leavesOf(record))
      values.set(place, `${values.get(place) ?? ''}\n${String(value)}`);
  return values;
}

export function recordsOf(answer: Answer): Json[] {
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
