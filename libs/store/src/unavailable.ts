import { QueryFailedError } from 'typeorm';
import { ApiError } from '#contract';

/** A temporary failure of the database. The same request succeeds when the cause is gone. */
interface Cause {
  message: string;
  remediation: string;
  retryAfterSeconds: number;
  /** Reading may still work: readiness has to try a write. */
  refusesWrites?: true;
  /** The connection broke: a statement in flight may have been run. */
  isConnection?: true;
}

const diskFull: Cause = {
  message: 'the disk of the database is full',
  remediation: 'Free or add space there; the service goes on by itself.',
  retryAfterSeconds: 30,
  refusesWrites: true,
};
const diskFailing: Cause = {
  message: 'the disk of the database fails',
  remediation: 'Look into the log of PostgreSQL, and replace the disk.',
  retryAfterSeconds: 30,
  refusesWrites: true,
};
const readOnly: Cause = {
  message: 'the database is read-only and accepts no changes',
  remediation: 'Try again when it has a primary server; DATABASE_URL has to name that one.',
  retryAfterSeconds: 10,
  refusesWrites: true,
};
const outOfMemory: Cause = {
  message: 'the database is out of memory',
  remediation: 'Try again; give PostgreSQL more memory when it happens often.',
  retryAfterSeconds: 10,
};
const outOfConnections: Cause = {
  message: 'the database has no free connection',
  remediation:
    'Try again; raise max_connections of PostgreSQL or lower DATABASE_POOL when it happens often.',
  retryAfterSeconds: 2,
};
const overloaded: Cause = {
  message: 'the database is at the limit of its configuration',
  remediation: 'Try again; the log of PostgreSQL names the limit.',
  retryAfterSeconds: 10,
};
const restarting: Cause = {
  message: 'the database is restarting',
  remediation: 'Try again.',
  retryAfterSeconds: 2,
  isConnection: true,
};
const unreachable: Cause = {
  message: 'the database cannot be reached',
  remediation: 'Try again; start PostgreSQL, or mend the network, when it goes on.',
  retryAfterSeconds: 2,
  isConnection: true,
};
const loginRefused: Cause = {
  message: 'the database refuses the login of the service',
  remediation: 'Correct DATABASE_URL, or the password of its user.',
  retryAfterSeconds: 30,
};
const tooSlow: Cause = {
  message: 'the database took too long',
  remediation: 'Try again; ask for less at once when it goes on.',
  retryAfterSeconds: 5,
};
const blocked: Cause = {
  message: 'another change of the same records got in the way',
  remediation: 'Try again.',
  retryAfterSeconds: 1,
};

/** By SQLSTATE, or by the code of a system error. */
const causes: Readonly<Record<string, Cause>> = {
  '53100': diskFull,
  '58030': diskFailing,
  '25006': readOnly,
  '53200': outOfMemory,
  '53300': outOfConnections,
  '53000': overloaded,
  '53400': overloaded,
  '57P01': restarting,
  '57P02': restarting,
  '57P03': restarting,
  '57P05': restarting,
  '28000': loginRefused,
  '28P01': loginRefused,
  '3D000': loginRefused,
  '57014': tooSlow,
  '40001': blocked,
  '40P01': blocked,
  '55P03': blocked,
  '08000': unreachable,
  '08001': unreachable,
  '08003': unreachable,
  '08004': unreachable,
  '08006': unreachable,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EPIPE: unreachable,
  ETIMEDOUT: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
};

/** Messages of the driver about a broken connection, which have no code. */
const brokenConnection = /^(?:Connection terminated|Client has encountered a connection error)/;

/** A temporary failure of the database as a 503 that says when to retry. */
export class DatabaseUnavailable extends ApiError {
  readonly refusesWrites: boolean;

  constructor(cause: Cause, error: unknown, isStoring: boolean) {
    const isUnknown = cause.isConnection === true && isStoring;
    super(
      503,
      isUnknown ? `${cause.message}, and the change may be stored or not` : cause.message,
      {
        remediation: isUnknown
          ? 'Look whether the change is there before you repeat it; with its Idempotency-Key a create can be repeated as it is.'
          : cause.remediation,
        headers: { 'retry-after': String(cause.retryAfterSeconds) },
        cause: error,
      },
    );
    this.refusesWrites = cause.refusesWrites === true;
  }
}

/**
 * Returns an error of the driver as the 503 it is for callers; any other error as it is.
 * @param isStoring whether the changes of a transaction were being committed
 */
export function explainUnavailable(error: unknown, isStoring = false): unknown {
  const cause = causeOf(error instanceof QueryFailedError ? error.driverError : error);
  return cause === undefined ? error : new DatabaseUnavailable(cause, error, isStoring);
}

function causeOf(error: unknown): Cause | undefined {
  // Not `instanceof Error`: under jest, Node's own errors are of another realm.
  if (typeof error !== 'object' || error === null || error instanceof ApiError) return undefined;
  // A host with several addresses fails once for each of them.
  if ('errors' in error && Array.isArray(error.errors)) return causeOf(error.errors[0]);
  if ('code' in error && typeof error.code === 'string') return causes[error.code];
  if ('message' in error && brokenConnection.test(String(error.message))) return unreachable;
  return undefined;
}
