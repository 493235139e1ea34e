import { isObject, type JsonObject, type Report, show } from './report.js';

/** Ids of observables that refer to an object, and so have no value. */
const objectTypes = new Set([20, 21, 22, 23, 24, 25, 26, 27, 30]);

/** Checks that observables name attributes that the record has, and repeat their values. */
export function lintObservables(record: JsonObject, report: Report): void {
  const observables = record['observables'];
  if (observables === undefined || !Array.isArray(observables)) return;
  for (const [index, observable] of observables.entries()) {
    if (!isObject(observable)) continue;
    const path = ['observables', index];
    const { name, type_id: type, value } = observable;
    if (typeof name !== 'string') {
      report.error(
        [...path, 'name'],
        'observable-name',
        'name is missing: it is the path of the attribute',
      );
      continue;
    }
    const found = valuesAt(
      record,
      name.replaceAll(/\[\d*\]/g, (index_) => `.${index_.slice(1, -1)}`).split('.'),
    );
    if (found.length === 0) {
      report.error([...path, 'name'], 'observable-name', `the record has no attribute ${name}`);
      continue;
    }
    const isObjectType = typeof type === 'number' && objectTypes.has(type);
    if (isObjectType && value !== undefined)
      report.error(
        [...path, 'value'],
        'observable-value',
        `an observable of type ${type} is an object and has no value`,
      );
    if (isObjectType && !found.some(isObject))
      report.error(
        [...path, 'type_id'],
        'observable-type',
        `${name} is not an object, as type ${type} says`,
      );
    if (isObjectType || typeof type !== 'number') continue;
    if (found.every(isObject))
      report.error(
        [...path, 'type_id'],
        'observable-type',
        `${name} is an object, and type ${type} is a single value`,
      );
    else if (value === undefined)
      report.error([...path, 'value'], 'observable-value', `value is missing: it repeats ${name}`);
    else if (!found.some((one) => String(one) === value))
      report.error(
        [...path, 'value'],
        'observable-value',
        `${show(value)} is not the value of ${name}`,
      );
  }
}

/** The values at a path. A step into a list is one into each of its items; an empty step is what `[]` leaves. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (step === undefined) return Array.isArray(value) ? value : [value];
  if (Array.isArray(value))
    return /^\d+$/.test(step)
      ? valuesAt(value[Number(step)], rest)
      : value.flatMap((item) => valuesAt(item, step === '' ? rest : [step, ...rest]));
  if (step === '') return valuesAt(value, rest);
  return isObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}
