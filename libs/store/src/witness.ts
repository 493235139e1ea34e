import type { SeenRecord } from './records.js';
import type { Scope } from './scope.js';
import type { Transaction } from './transaction.js';

/** Somebody who watches transactions and may add to them, such as the audit trail. */
export interface Witness {
  /** Asked when a transaction begins. @returns undefined when it is none of its concern. */
  attend(scope: Scope, access: Access): Attendance | undefined;
}

/** Whether a transaction may change anything; `aside` changes what stays even when its call fails. */
export type Access = 'read' | 'write' | 'aside';

export interface Attendance {
  /** A record was found by `key`, or made when there is none. */
  saw(seen: SeenRecord): void;
  /** Runs last inside the transaction: what it throws undoes all of it. */
  closing(tx: Transaction): Promise<void>;
  /** Runs once the transaction is committed. */
  committed(): void;
}
