import { computed, signal } from '@preact/signals';
import { session } from '../../api/session.js';
import type { Values } from '../../forms/values.js';
import type { FilterRow } from './filters.js';

export const maxSaved = 50;

/** Texts and choices in the form of an operation. */
export interface Typed {
  values: Values;
  rows: readonly FilterRow[];
  meta: readonly string[];
  body: string;
}

export interface SavedRequest extends Typed {
  id: string;
  name: string;
  operation: string;
}

/** Key under which the browser keeps the requests of an organization, also for the next tab: somebody sends them for weeks. */
const key = computed(() => `onefold.requests.${session.value?.organization.id ?? ''}`);
/** Counts changes: the browser does not tell a tab of its own. */
const changes = signal(0);

/** The saved requests of the organization, in the order of their names. */
export const savedRequests = computed((): readonly SavedRequest[] => {
  void changes.value;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key.value) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSavedRequest) : [];
  } catch {
    return []; // not ours: as if nothing was saved
  }
});

/** The saved requests but the one of this name and operation, whose place a new one takes. */
export function otherRequests(given: Pick<SavedRequest, 'name' | 'operation'>): SavedRequest[] {
  const isSame = ({ name, operation }: SavedRequest) =>
    name === given.name && operation === given.operation;
  return savedRequests.peek().filter((one) => !isSame(one));
}

/** Keeps a request, in the place of one of the same name and operation. */
export function saveRequest(request: Omit<SavedRequest, 'id'>): SavedRequest {
  const others = otherRequests(request);
  const saved = { ...request, id: crypto.randomUUID() };
  keep([...others, saved].toSorted((one, other) => one.name.localeCompare(other.name)));
  return saved;
}

export function forgetRequest(id: string): void {
  keep(savedRequests.peek().filter((one) => one.id !== id));
}

function keep(requests: readonly SavedRequest[]): void {
  localStorage.setItem(key.peek(), JSON.stringify(requests));
  changes.value += 1;
}

function isSavedRequest(value: unknown): value is SavedRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, operation, values, rows, meta, body } = value as Record<string, unknown>;
  return (
    [id, name, operation, body].every((one) => typeof one === 'string') &&
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).every((one) => typeof one === 'string') &&
    Array.isArray(meta) &&
    meta.every((one) => typeof one === 'string') &&
    Array.isArray(rows) &&
    rows.every(isFilterRow)
  );
}

function isFilterRow(value: unknown): value is FilterRow {
  if (typeof value !== 'object' || value === null) return false;
  const { name, operator, value: text } = value as Record<string, unknown>;
  return [name, operator, text].every((one) => typeof one === 'string');
}
