import type { SeenRecord } from './records.js';
import type { Scope } from './scope.js';

/** Watches transactions and may add a statement to them, such as the audit trail. */
export interface Witness {
  /** Runs when a transaction begins. @returns undefined for those that it does not watch */
  attend(scope: Scope, access: Access): Attendance | undefined;
}

/** Whether a transaction may change anything; `aside` changes what stays even when its call fails. */
export type Access = 'read' | 'write' | 'aside';

export interface Attendance {
  /** A record was found by `key`, or made when there is none. */
  saw(seen: SeenRecord): void;
  /** Returns the last statement of the transaction: when it fails, all of the transaction is undone. */
  closing(): Closing | undefined;
}

export interface Closing {
  /** With its values in it, because it travels with the commit. */
  statement: string;
  /** Gets the rows of the statement once the transaction is committed. */
  committed(rows: readonly Readonly<Record<string, unknown>>[]): void;
}
