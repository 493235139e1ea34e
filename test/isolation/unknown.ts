import { isId } from '#config';
import type { Sent } from './requests.js';

/**
 * A value like this one, and as long, that names nothing: an id of the same kind, or a name nobody has.
 * @param salt what makes it another one than those of other tests, whose records may have got it for a name
 */
export function unknownLike(value: string, salt: number): string {
  const tail = `z${String(salt).padStart(2, '0')}`;
  if (isId(value)) return `${value.slice(0, -8)}zzzzz${tail}`;
  return `${value.slice(0, -3)}${tail}`;
}

/** What an answer says, whatever it was that was asked for. */
export function said({ status, text }: Sent, value: string): object {
  if (status < 300) return { status };
  const { message, remediation } = JSON.parse(text) as { message?: string; remediation?: string };
  const without = (words = '') => words.replaceAll(value, '…').replaceAll(value.slice(0, 57), '…');
  return { status, message: without(message), remediation: without(remediation) };
}
