import type { SeenRecord } from './records.js';
import type { Scope } from './scope.js';

/** Observes transactions and may add a statement to them, as the audit trail does. */
export interface TransactionObserver {
  /** Runs when a transaction begins. @returns undefined for a transaction that it does not observe */
  onBegin(scope: Scope, access: Access): TransactionHooks | undefined;
}

/** The kind of a transaction; changes of an `aside` one remain even if its call fails. */
export type Access = 'read' | 'write' | 'aside';

export interface TransactionHooks {
  /** Called for each record that was found by `key`, or created if there is none. */
  onRecord(seen: SeenRecord): void;
  /** Returns the last statement of the transaction: when it fails, all of the transaction is undone. */
  beforeCommit(): CommitStatement | undefined;
}

export interface CommitStatement {
  /** With its values in it, because it travels with the commit. */
  statement: string;
  /** Gets the rows of the statement once the transaction is committed. */
  onCommit(rows: readonly Readonly<Record<string, unknown>>[]): void;
}
