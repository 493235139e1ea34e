import type { Operation, QueryParameter } from './operations.js';
import type { Fault } from './problem.js';
import { textFault } from './text-fault.js';

export const maxRepeats = 100;
export const maxValueLength = 8_192;

/**
 * Reads the query values an operation declares: numbers and booleans as such, lists from repeated names, defaults filled in.
 * Unknown names are ignored, newer clients may send them.
 */
export function readQuery(
  operation: Operation,
  search: URLSearchParams,
): { query: Record<string, unknown>; faults: Fault[] } {
  const query: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [name, parameter] of Object.entries(operation.query)) {
    const values = search.getAll(name);
    if (values.length === 0) {
      if (parameter.required)
        faults.push(fault(name, 'is required', `Add ?${name}=… to the address.`));
      else if (parameter.default !== undefined) query[name] = parameter.default;
      continue;
    }
    const value = read(name, parameter, values);
    if (isFault(value)) faults.push(value);
    else query[name] = value;
  }
  return { query, faults };
}

function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'location' in value;
}

function read(name: string, parameter: QueryParameter, values: string[]): unknown {
  const [first = ''] = values;
  const long = values.find((value) => value.length > maxValueLength);
  if (long !== undefined)
    return fault(name, `is longer than ${maxValueLength} characters`, 'Shorten it.');
  const unfit = values.map((value) => textFault('query', name, value)).find(Boolean);
  if (unfit) return unfit;
  if (parameter.type === 'array') {
    if (values.length > maxRepeats)
      return fault(
        name,
        `is given ${values.length} times, and at most ${maxRepeats} are allowed`,
        'Send fewer.',
      );
    const wrong = values.find((value) => !takes(parameter, value));
    return wrong === undefined ? values : unknownValue(name, parameter, wrong);
  }
  if (values.length > 1)
    return fault(
      name,
      `is given ${values.length} times, and one value is allowed`,
      'Send it once.',
    );
  if (parameter.type === 'integer') {
    const number = Number(first);
    if (!/^-?\d{1,15}$/.test(first) || number < 0)
      return fault(name, 'must be a whole number of 0 or more', `Write ${name}=100.`, first);
    if (parameter.maximum !== undefined && number > parameter.maximum)
      return fault(
        name,
        `must be at most ${parameter.maximum}`,
        `Write ${name}=${parameter.maximum} and page.`,
        first,
      );
    return number;
  }
  if (parameter.type === 'boolean')
    return first === 'true' || first === 'false'
      ? first === 'true'
      : fault(name, 'must be true or false', `Write ${name}=true.`, first);
  return takes(parameter, first) ? first : unknownValue(name, parameter, first);
}

function takes({ values }: QueryParameter, value: string): boolean {
  return values === undefined || values.includes(value);
}

function unknownValue(name: string, { values = [] }: QueryParameter, value: string): Fault {
  return fault(name, 'has an unknown value', `Use one of ${values.join(', ')}.`, value);
}

function fault(name: string, message: string, remediation: string, value?: string): Fault {
  return {
    location: 'query',
    pointer: name,
    message,
    remediation,
    ...(value === undefined ? {} : { value }),
  };
}
