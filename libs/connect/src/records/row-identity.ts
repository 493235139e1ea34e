import { createHash } from 'node:crypto';
import { formatJson } from '@onefold/mapping';

/** Identifies a row by its `id`, or by all of it. */
export function identityOf(row: unknown): string {
  const { id } = (row ?? {}) as { id?: unknown };
  const text =
    typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint'
      ? `id ${id}`
      : formatJson(row);
  return shortHash(text);
}

/** A hash that is short enough for cursors, in which many stand. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
