import type { OperationId } from './operations.js';
import { deriveField } from './derive-field.js';
import { type ObjectShape, recordShapes, type Shape } from './record-shapes.js';
import { type Check, compile, isObject, type RecordFault } from './validate-record.js';

/** A value that the contract does not allow at its place, and what became of it. */
export interface Misfit extends RecordFault {
  /** `missing` for a field that is required, of a record that cannot be had without it. */
  outcome: 'moved' | 'derived' | 'missing';
  value: unknown;
  /** True for a value that is none of those that the contract enumerates. */
  isUnknown?: true;
}

export interface FittedRecord {
  /** Undefined if the record does not have what each must have. */
  record: Record<string, unknown> | undefined;
  misfits: readonly Misfit[];
}

/** Stands for a value that does not fit. */
const refused = Symbol('refused');

/**
 * Makes a record that does not fit the contract fit it: values that are not allowed move to its `unmapped`, under the name of their field,
 * and a required field is derived from others where that is possible. Call it for records that {@link validateRecord} refuses: it takes
 * many times as long, although not longer than in proportion to the record.
 */
export function fitRecord(id: OperationId, record: unknown): FittedRecord {
  const shape = recordShapes().records[id];
  const fit = new Fit();
  const fitted = shape === undefined ? record : fit.value(shape, record, '');
  if (fitted === refused || !isObject(fitted)) return { record: undefined, misfits: fit.misfits };
  const moved = fit.misfits.filter(({ outcome }) => outcome === 'moved');
  if (moved.length === 0) return { record: fitted, misfits: fit.misfits };
  const { unmapped } = fitted;
  const kept = isObject(unmapped) ? unmapped : {};
  const values = moved.map(({ pointer, value }) => [nameOf(pointer, kept), value]);
  return {
    record: { ...fitted, unmapped: { ...Object.fromEntries(values), ...kept } },
    misfits: fit.misfits,
  };
}

/** The name of a field as filters have it; its pointer, where `unmapped` has something of this name already. */
function nameOf(pointer: string, taken: object): string {
  const name = pointer.slice(1).replaceAll('/', '.');
  return Object.hasOwn(taken, name) ? pointer : name;
}

const checks = new Map<Shape, Check>();

function checkOf(shape: Shape): Check {
  const known = checks.get(shape);
  if (known !== undefined) return known;
  const made = compile(shape);
  checks.set(shape, made);
  return made;
}

class Fit {
  readonly misfits: Misfit[] = [];

  /** Returns the value without what does not fit in it. */
  value(shape: Shape, value: unknown, pointer: string): unknown {
    if (typeof shape === 'string') {
      if (shape.startsWith('?'))
        return value === null ? null : this.value(shape.slice(1), value, pointer);
      if (shape.startsWith('[]') && Array.isArray(value))
        return value
          .map((one, index) => this.value(shape.slice(2), one, `${pointer}/${index}`))
          .filter((one) => one !== refused);
      if (shape.startsWith('#') && isObject(value)) return this.named(shape, value, pointer);
    }
    const fault = checkOf(shape)(value);
    if (fault === undefined) return value;
    return this.refuse(value, pointer + fault.pointer, fault.message, typeof shape !== 'string');
  }

  private named(shape: string, value: Record<string, unknown>, pointer: string): unknown {
    const type = recordShapes().types[shape.slice(1)];
    if (type !== undefined && 'by' in type) {
      const name = type.of[String(value[type.by])];
      if (name !== undefined) return this.value(`#${name}`, value, pointer);
    }
    if (type !== undefined && 'fields' in type) return this.object(type, value, pointer);
    const fault = checkOf(shape)(value);
    if (fault === undefined) return value;
    const isUnknown = type !== undefined && 'values' in type;
    return this.refuse(value, pointer, textOf(fault), isUnknown);
  }

  private object(type: ObjectShape, value: Record<string, unknown>, pointer: string): unknown {
    const begin = this.misfits.length;
    const fitted: Record<string, unknown> = {};
    for (const [name, inner] of Object.entries(value)) {
      if (name === '__proto__') continue;
      const shape = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
      const isFree = shape === undefined || inner === undefined;
      const kept = isFree ? inner : this.value(shape, inner, `${pointer}/${name}`);
      if (kept !== refused) fitted[name] = kept;
    }
    for (const name of type.required) {
      const isEmptyId = pointer === '' && name === 'id' && fitted[name] === '';
      if (fitted[name] !== undefined && !isEmptyId) continue;
      const shape = type.fields[name] ?? 'any';
      const derived = deriveField(name, shape, fitted, value[name]);
      if (derived === undefined || checkOf(shape)(derived) !== undefined)
        return this.refuseObject(value, pointer, name, begin);
      fitted[name] = derived;
      this.noteDerived(`${pointer}/${name}`, value[name]);
    }
    return fitted;
  }

  /** Refuses an object that has not what it must have. What did not fit within it is not told by itself: it moves with it. */
  private refuseObject(
    value: Record<string, unknown>,
    pointer: string,
    name: string,
    begin: number,
  ): typeof refused {
    const place = `${pointer}/${name}`;
    const within = this.misfits.splice(begin).find((one) => one.pointer === place);
    const found = value[name];
    const isMissing = found === undefined || found === null;
    const why = within?.message ?? (isMissing ? 'is missing' : 'is empty');
    if (pointer !== '') return this.refuse(value, pointer, `${name} ${why}`);
    this.misfits.push({ pointer: place, message: why, outcome: 'missing', value: found });
    return refused;
  }

  private noteDerived(pointer: string, value: unknown): void {
    const known = this.misfits.some((one) => one.pointer === pointer);
    if (!known) this.misfits.push({ pointer, message: 'is missing', outcome: 'derived', value });
  }

  private refuse(
    value: unknown,
    pointer: string,
    message: string,
    isUnknown = false,
  ): typeof refused {
    const outcome = pointer === '' ? 'missing' : 'moved';
    this.misfits.push({ pointer, message, outcome, value, ...(isUnknown && { isUnknown }) });
    return refused;
  }
}

function textOf({ pointer, message }: RecordFault): string {
  return pointer === '' ? message : `has a field ${pointer} that ${message}`;
}
