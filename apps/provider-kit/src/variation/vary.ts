import type { FakeResponse } from '#fakes';
import type { KeyedResponse, OverFake } from '../over-fake/over-fake.js';
import type { Answer } from '../over-fake/over-provider.js';
import type { Excuses } from '../over-fake/excuses.js';
import type { Read } from './find-reads.js';
import { type Change, Judge, type Judgement, recordsOf } from './judge.js';
import {
  absent,
  changeAt,
  changesOf,
  type Json,
  type Place,
  placesOf,
  valueAt,
} from './variants.js';
import { readAnswer, writeAnswer } from './written-answer.js';

/** A provider whose answers are recorded, and can be replaced. */
export type Varying = Pick<OverFake, 'answer' | 'answered' | 'answerTo'>;

/** How much is varied; everything when absent. */
export interface Extent {
  /** Values of each answer that are changed; the first of the answer, then evenly spread. */
  maxPlaces?: number | undefined;
  /** Values that the vendor always sends, by operation and place, with the reason. */
  required?: Excuses['required_values'];
}

/** The outcome of the variants of an operation's answers. */
export interface Varied extends Judgement {
  variants: number;
}

/** Items of a list that are kept: more than there are kinds of changes. */
const maxItems = 14;

/**
 * Runs a read again for each value of each answer, with the value changed: no single value may cost the page or the record, make a response
 * that breaks the contract, or come out in another field.
 */
export async function varyRead(
  over: Varying,
  { operation, request }: Read,
  { maxPlaces = Infinity, required = {} }: Extent = {},
): Promise<Varied> {
  const varied: Varied = { variants: 0, refused: 0, faults: [] };
  const base = await runWithShortLists(over, { operation, request });
  const recorded = over.answered ?? [];
  const isRequired = (name: string) => name in (required[operation.id] ?? {});
  const seen = new Set<string>();
  for (const [index, { response, key }] of recorded.entries()) {
    const answer = readAnswer(response) ?? null;
    // Equal requests, and those that differ in the id of a record alone, have answers of the same shape.
    const places = placesOf(answer).filter(
      ({ name }) => !isRequired(name) && !seen.has(`${kindOf(key)} ${name}`),
    );
    for (const { name } of places) seen.add(`${kindOf(key)} ${name}`);
    const answerTo: AnswerTo = async (changes) => {
      const changed = structuredClone(answer);
      for (const { path, to } of changes) changeAt(changed, path, to);
      const body = Buffer.from(writeAnswer(response, changed));
      over.answer = answerFrom(recorded, { index, response: { ...response, body } });
      return await runAgain(over, { operation, request });
    };
    const step = Math.max(1, Math.ceil(places.length / maxPlaces));
    for (const place of places.filter((_one, at) => at % step === 0)) {
      const judge = new Judge({ operation, request }, base, answer, place);
      for (const round of roundsOf(answer, place)) {
        varied.variants += round.length;
        for (const { refused, faults } of await judgeRound(judge, round, answerTo)) {
          varied.refused += refused;
          varied.faults.push(...faults);
        }
      }
    }
  }
  over.answer = undefined;
  return varied;
}

/** Runs a read with changes of one of its answers. */
type AnswerTo = (changes: readonly Change[]) => Promise<Answer>;

/** Judges changes that are made together; those that cost something are made again, each by itself. */
async function judgeRound(
  judge: Judge,
  round: readonly Change[],
  answerTo: AnswerTo,
): Promise<Judgement[]> {
  const run = async (changes: readonly Change[]) => {
    const ran = await answerTo(changes);
    const judged = judge.judge(ran, changes);
    if (judged.faults.length > 0 || judged.refused > 0) return judged;
    const moved = judge.movedIn(ran, changes);
    if (moved.length === 0) return judged;
    const without = await answerTo(changes.map((change) => ({ ...change, to: absent })));
    return judge.judgeMoved(moved, without, changes);
  };
  const together = await run(round);
  if (together.faults.length === 0 && together.refused === 0) return [together];
  const alone: Judgement[] = [];
  for (const change of round) alone.push(await run([change]));
  return alone;
}

/** Runs a read whose answers have no more items in a list than there are kinds of changes, if it ends as with all of them. */
async function runWithShortLists(over: Varying, { operation, request }: Read): Promise<Answer> {
  over.answer = undefined;
  const whole = await runAgain(over, { operation, request });
  const short = (over.answered ?? []).map(({ key, response }) => {
    const answer = readAnswer(response);
    if (answer === undefined) return { key, response };
    const body = Buffer.from(writeAnswer(response, cutLists(answer)));
    return { key, response: { ...response, body } };
  });
  over.answer = answerFrom(short);
  const cut = await runAgain(over, { operation, request });
  if (cut.status === whole.status && recordsOf(cut).length > 0) return cut;
  over.answer = undefined;
  return await runAgain(over, { operation, request });
}

/** Runs a read, with its requests counted from 0. */
async function runAgain(over: Varying, { operation, request }: Read): Promise<Answer> {
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

/** Answers as they were recorded, but one of them. */
function answerFrom(
  recorded: readonly KeyedResponse[],
  changed?: { index: number; response: FakeResponse },
): Varying['answer'] {
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
