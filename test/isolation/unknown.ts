import { isId } from '#config';
import type { Sent } from './requests.js';

/**
 * Returns a value of the same form and length that does not exist: an id of the same kind, or an unused name.
 * @param salt distinguishes it from the values of other tests, which may have created records with such names
 */
export function unknownLike(value: string, salt: number): string {
  const tail = `z${String(salt).padStart(2, '0')}`;
  if (isId(value)) return `${value.slice(0, -8)}zzzzz${tail}`;
  return `${value.slice(0, -3)}${tail}`;
}

/** The kind of a value, by which an operation may tell values that do not exist apart: that of an id; each name is one of its own. */
export function kindOf(value: string): string {
  return isId(value) ? `${value.split('_')[0]}_` : value;
}

/** Asks for each key once: the response to an unknown id is the same for all ids of its kind, and half of all requests were such ones. */
export function once<T>(
  known: Map<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const response = known.get(key) ?? ask();
  known.set(key, response);
  return response;
}

/** True if the provider of a configuration could not be called, or is not called for now. */
export function isUnreachable({ status, text }: Sent): boolean {
  return status >= 300 && /cannot be reached: |are paused, it failed too often/.test(text);
}

/** Returns status and texts of a response without the requested value. */
export function withoutValue({ status, text }: Sent, value: string): object {
  if (status < 300) return { status };
  const { message, remediation } = JSON.parse(text) as { message?: string; remediation?: string };
  const replaceValue = (words = '') =>
    words.replaceAll(value, '…').replaceAll(value.slice(0, 57), '…');
  return { status, message: replaceValue(message), remediation: replaceValue(remediation) };
}
