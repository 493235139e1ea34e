import { checkMembers, type KnownMembers } from './check-members.js';
import { PatchBudget, type PatchLimit } from './patch-budget.js';
import { PatchError, type PatchMember, placeInPatch } from './patch-error.js';
import { type PatchStep, readStep } from './patch-step.js';
import { findPlace, insertAt, isTaken, type Place, removeAt, replaceAt, valueAt } from './place.js';
import { formatPointer, isAtOrBelow, valuesAt } from './pointer.js';
import { isSameValue } from './same-value.js';

export const maxOperations = 1000;
/** Copies a value, because a later operation must change neither the request body nor the source of a copy. */
const clone = (value: unknown): unknown => structuredClone(value);

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a record, all operations or none.
 * @param readOnly places that no operation may change, as tokens of a pointer; `*` stands for any key or index
 * @param known members that operations may write
 * @throws PatchError for the first operation that cannot be applied
 */
export function applyPatch<T extends object>(
  record: T,
  patch: readonly unknown[],
  readOnly: readonly (readonly string[])[] = [],
  known: KnownMembers = true,
): T {
  if (patch.length > maxOperations)
    throw new PatchError(
      `the patch has ${patch.length} operations`,
      '',
      'invalid',
      `Send at most ${maxOperations} operations in one request.`,
    );
  const patched = structuredClone(record);
  const run = new PatchRun(patched, new PatchBudget(patched), readOnly);
  for (const [index, operation] of patch.entries()) run.apply(readStep(operation, index));
  checkUntouched(record, patched, readOnly);
  checkMembers(record, patched, known, patch);
  return patched;
}

class PatchRun {
  constructor(
    private readonly document: object,
    private readonly budget: PatchBudget,
    private readonly readOnly: readonly (readonly string[])[],
  ) {}

  apply(step: PatchStep): void {
    if (step.op !== 'test') this.checkReadOnly(step, 'path');
    if (step.op === 'move') this.checkReadOnly(step, 'from');
    switch (step.op) {
      case 'test':
        return this.test(step);
      case 'add':
        return this.add(step, step.value, clone);
      case 'replace': {
        const place = this.taken(step, 'path');
        this.charge(step, this.budget.add(step.value, step.path.length, valueAt(place)));
        return replaceAt(place, clone(step.value));
      }
      case 'remove':
        return this.remove(step, 'path');
      case 'copy': {
        const value = this.source(step);
        this.charge(step, this.budget.compare(value)); // charged before the copy is made
        return this.add(step, value, clone);
      }
      case 'move': {
        const value = this.source(step);
        this.remove(step, 'from');
        return this.add(step, value, (moved) => moved);
      }
    }
  }

  private add(step: PatchStep, value: unknown, make: (value: unknown) => unknown): void {
    const place = findPlace(this.document, step.path);
    if (place === undefined) throw this.unreachable(step, 'path');
    const replaced = 'object' in place && isTaken(place) ? valueAt(place) : undefined;
    this.charge(step, this.budget.add(value, step.path.length, replaced));
    this.chargeShift(step, place);
    insertAt(place, make(value));
  }

  private remove(step: PatchStep, member: 'path' | 'from'): void {
    const place = this.taken(step, member);
    this.charge(step, this.budget.remove(valueAt(place)));
    this.chargeShift(step, place);
    removeAt(place);
  }

  private test(step: PatchStep): void {
    const place = step.path.length === 0 ? { object: { '': this.document }, key: '' } : undefined;
    const found = place ?? findPlace(this.document, step.path);
    this.charge(step, this.budget.compare(step.value));
    const name = formatPointer(step.path) || 'the whole record';
    if (found === undefined || !isTaken(found))
      throw new PatchError(
        `${name} does not exist, so its value cannot be tested`,
        placeInPatch(step.index, 'path'),
        'test',
        'Read the record again and adapt the patch.',
        formatPointer(step.path),
      );
    if (isSameValue(valueAt(found), step.value)) return;
    throw new PatchError(
      `${name} does not have the value that the patch tests for`,
      placeInPatch(step.index, 'value'),
      'test',
      'Read the record again and adapt the patch.',
    );
  }

  private source(step: PatchStep): unknown {
    return step.op === 'copy' && step.from.length === 0
      ? this.document
      : valueAt(this.taken(step, 'from'));
  }

  private taken(step: PatchStep, member: 'path' | 'from'): Place {
    const place = findPlace(this.document, step[member]);
    if (place === undefined || !isTaken(place)) throw this.unreachable(step, member);
    return place;
  }

  private checkReadOnly(step: PatchStep, member: 'path' | 'from'): void {
    const pointer = step[member];
    if (!this.readOnly.some((pattern) => isAtOrBelow(pointer, pattern))) return;
    const text = formatPointer(pointer);
    throw new PatchError(
      `${text} is read-only`,
      placeInPatch(step.index, member),
      'invalid',
      'Leave it out: callers cannot change this field.',
      text,
    );
  }

  private unreachable(step: PatchStep, member: 'path' | 'from'): PatchError {
    const text = formatPointer(step[member]);
    return new PatchError(
      `${text || 'the whole record'} cannot be reached by ${step.op}`,
      placeInPatch(step.index, member),
      'invalid',
      step.op === 'replace'
        ? 'Name a field that exists, or set a new one with add; an index of an array is a whole number.'
        : 'Name a field that exists; an index of an array is a whole number, or - for its end.',
      text,
    );
  }

  private chargeShift(step: PatchStep, place: Place): void {
    if ('list' in place) this.charge(step, this.budget.shift(place.list.length - place.index));
  }

  private charge(step: PatchStep, limit: PatchLimit | undefined): void {
    if (limit === undefined) return;
    const member: PatchMember = step.op === 'copy' || step.op === 'move' ? 'from' : 'value';
    const messages: Record<PatchLimit, string> = {
      size: 'the patch makes the record too large',
      work: 'the patch copies and compares too much',
      depth: 'the value is nested too deeply',
    };
    throw new PatchError(
      messages[limit],
      placeInPatch(step.index, step.op === 'remove' ? 'path' : member),
      'invalid',
      limit === 'depth' ? 'Nest at most 100 levels.' : 'Send a smaller patch, or the whole record.',
    );
  }
}

/** Detects changes of read-only fields by replacing a parent, which the check of each pointer does not find. */
function checkUntouched(
  before: object,
  after: object,
  readOnly: readonly (readonly string[])[],
): void {
  for (const pattern of readOnly) {
    if (isSameValue(valuesAt(before, pattern), valuesAt(after, pattern))) continue;
    throw new PatchError(
      `the patch changes ${formatPointer(pattern)}, which is read-only`,
      '',
      'invalid',
      'Callers cannot change this field: patch the fields beside it one by one.',
    );
  }
}
