import { ApiError } from '#contract';
import type { Value } from '@onefold/mapping';
import type { CompiledWindow } from '#provider-document';
import { instantOf } from '#query';
import type { ProviderRecord } from '../provider-record.js';
import { identityOf } from '../records/row-identity.js';
import type { ListProgress, PagePosition, WindowBounds, WindowEdge } from './page-position.js';

const dayMs = 86_400_000;
const secondMs = 1_000;
/** Rows of one second that can be told apart where a window begins; they are a part of the cursor. */
const maxEdgeRows = 500;
/** A list that has no end by its filters ends so much after the request, for clocks that differ. */
const clockToleranceMs = 60_000;

/** Evaluates an expression of the window of a page. */
export type AskWindow = (
  key: 'time' | 'descending' | 'from' | 'until',
  row?: ProviderRecord,
) => Value;

/** The bounds of the whole list, and the direction in which it is read. */
interface WholeList extends WindowBounds {
  isDescending: boolean;
  begin: number;
  end: number;
  /** A window that reaches so far is the last one: without an end by the filters the time of the request, as the end goes on with the clock. */
  lastEnd: number;
  spanMs: number | undefined;
}

function wholeList(window: CompiledWindow, ask: AskWindow, now: number): WholeList {
  const { span_days: spanDays, earliest } = window.source;
  const [from, until] = [timeOf(ask('from')), timeOf(ask('until'))];
  return {
    from,
    until,
    isDescending: ask('descending') === true,
    begin: from ?? (earliest === undefined ? -Infinity : Date.parse(earliest)),
    end: until ?? now + clockToleranceMs,
    lastEnd: until ?? now,
    spanMs: spanDays === undefined ? undefined : spanDays * dayMs,
  };
}

/** Returns the bounds of the first window. Without a bound where reading begins it has none: the provider's own list is read first. */
export function firstWindow(window: CompiledWindow, ask: AskWindow, now: number): WindowBounds {
  const { isDescending, from, until, begin, end, spanMs } = wholeList(window, ask, now);
  if (spanMs === undefined) return { from, until };
  if (from === null && (!isDescending || until === null)) return { from: null, until: null };
  return isDescending
    ? { from: Math.max(end - spanMs, begin), until: end }
    : { from: begin, until: Math.min(begin + spanMs, end) };
}

/** True if a window that has no bound was read beyond the bound that the filters have. */
export function isBehindBound(
  window: CompiledWindow,
  ask: AskWindow,
  edge: WindowEdge | undefined,
): boolean {
  if (edge === undefined) return false;
  const isDescending = ask('descending') === true;
  const bound = timeOf(ask(isDescending ? 'from' : 'until'));
  return bound !== null && (isDescending ? edge.at < bound : edge.at > bound);
}

/** Leaves out the rows that the window before has given. */
export function dropEdgeRows(
  rows: readonly ProviderRecord[],
  { edge }: ListProgress,
): readonly ProviderRecord[] {
  if (edge?.repeats !== true) return rows;
  const known = new Set(edge.rows);
  return rows.filter((row) => !known.has(identityOf(row)));
}

/** Moves the edge behind the rows of a page. */
export function moveEdge(
  ask: AskWindow,
  rows: readonly ProviderRecord[],
  before: WindowEdge | undefined,
): WindowEdge | undefined {
  const isDescending = ask('descending') === true;
  const times = rows.map((row) => timeOf(ask('time', row)));
  const last = times.findLast((time) => time !== null);
  if (last === undefined || last === null) return before;
  // A second more for the way down, so that it does not matter whether the provider takes an end as inclusive.
  const at = Math.floor(last / secondMs) * secondMs + (isDescending ? secondMs : 0);
  const isInside = (time: number | null) =>
    time === null || (isDescending ? time <= at : time >= at);
  const outside = times.findLastIndex((time) => !isInside(time));
  const inside = rows.slice(outside + 1).map(identityOf);
  const known = outside < 0 ? (before?.rows ?? []) : [];
  return {
    at,
    rows: [...new Set([...known, ...inside])].slice(0, maxEdgeRows + 1),
    ...(before?.repeats && before.at === at ? { repeats: true } : {}),
  };
}

/** Returns the first position of the next window; undefined behind the last. @param isCut true if the provider has more rows than it gives in the window @throws ApiError 502 */
export function nextWindow(
  { window, place }: { window: CompiledWindow; place: string },
  ask: AskWindow,
  { position, edge, isCut, now }: WindowEnd,
): (WindowBounds & { progress: ListProgress }) | undefined {
  const list = wholeList(window, ask, now);
  const { isDescending, spanMs } = list;
  const bounds = isCut ? behindEdge(position, edge, list) : behindWindow(position, list);
  if (bounds === undefined) return undefined;
  if (
    isCut &&
    (edge === undefined || edge.rows.length > maxEdgeRows || isStuck(position, edge, list))
  )
    throw noWindow(place, edge);
  const { from, until } = bounds;
  const span = spanMs ?? Infinity;
  const limited = isDescending
    ? { from: notInfinite(Math.max((until ?? Infinity) - span, from ?? -Infinity)), until }
    : { from, until: notInfinite(Math.min((from ?? -Infinity) + span, until ?? Infinity)) };
  const progress = { rows: 0, ...(edge === undefined ? {} : { edge: { ...edge, repeats: true } }) };
  return { ...limited, progress };
}

/** Without a time to go on from, to end here would lose the rows that follow. */
function noWindow(place: string, edge: WindowEdge | undefined): ApiError {
  const why =
    edge === undefined ? 'and its rows have no time' : 'and has more of one time than it gives';
  return new ApiError(502, `the provider ends this list before its last row, ${why}`, {
    remediation: `Narrow the list by a filter or order it by time, or correct ${place}.window of the provider document.`,
  });
}

interface WindowEnd {
  position: PagePosition;
  edge: WindowEdge | undefined;
  isCut: boolean;
  now: number;
}

/** The rest of the list behind the rows that were read. */
function behindEdge(
  position: PagePosition,
  edge: WindowEdge | undefined,
  { isDescending, begin, end, spanMs, from, until }: WholeList,
): WindowBounds | undefined {
  const at = edge?.at ?? null;
  if (isDescending) {
    if (at !== null && at <= begin) return undefined;
    return { from: spanMs === undefined ? from : begin, until: at };
  }
  if (at !== null && at > end) return undefined;
  return { from: at, until: spanMs === undefined ? until : end };
}

/** The rest of the list behind a window that was read to its end. */
function behindWindow(
  { from, until }: PagePosition,
  { isDescending, begin, end, lastEnd, spanMs }: WholeList,
): WindowBounds | undefined {
  if (spanMs === undefined) return undefined;
  if (isDescending)
    return typeof from !== 'number' || from <= begin ? undefined : { from: begin, until: from };
  return typeof until !== 'number' || until >= lastEnd ? undefined : { from: until, until: end };
}

/** True if the next window would be the same one again. */
function isStuck(
  { from, until }: PagePosition,
  { at }: WindowEdge,
  { isDescending }: WholeList,
): boolean {
  return isDescending
    ? typeof until === 'number' && at >= until
    : typeof from === 'number' && at <= from;
}

function notInfinite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Reads a time; one without an offset is in UTC. */
function timeOf(value: Value): number | null {
  return instantOf(value) ?? null;
}
