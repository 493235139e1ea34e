import { type JqlOperand, readJqlDate } from '#fakes';
import { refuse } from './refusals.js';
import { type User, zoneMinutes } from './site.js';

/** Reads a date as epoch milliseconds. */
export function readDate(field: string, operand: JqlOperand): number {
  if (operand.kind === 'function' && operand.name === 'now') return Date.now();
  const text = operand.kind === 'value' ? operand.value : '';
  const date = readJqlDate(text, Date.now(), zoneMinutes);
  if (date !== undefined) return date;
  throw refuse(400, [
    `Date value '${text}' for field '${field}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', ` +
      "'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.",
  ]);
}

/** Returns the text of an operand; `currentUser()` is the account of the caller. */
export function readText(operand: JqlOperand, user: User): string {
  if (operand.kind === 'value') return operand.value;
  if (operand.kind === 'function' && operand.name === 'currentuser') return user.accountId;
  throw refuse(400, ['The operand is not supported by the field.']);
}
