/** The database cannot be used as it is. The message names place, cause and remedy. */
export class DatabaseUnusable extends Error {
  constructor(place: string, problem: string, remedy: string, cause: unknown) {
    super(`${place}: ${problem}. ${remedy}`, { cause });
    this.name = 'DatabaseUnusable';
  }
}

const migrateFirst = 'Run npm run -s admin -- migrate with the same DATABASE_URL.';
const reasons: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  ECONNREFUSED: ['nothing listens there', 'Start PostgreSQL, or correct DATABASE_URL.'],
  ENOTFOUND: ['there is no host of this name', 'Correct DATABASE_URL.'],
  ETIMEDOUT: ['it does not answer', 'Check the network between the two.'],
  '28P01': ['the password is wrong', 'Correct DATABASE_URL.'],
  '28000': ['the user may not connect', 'Correct DATABASE_URL, or pg_hba.conf of the server.'],
  '3D000': ['there is no database of this name', 'Create it, or correct DATABASE_URL.'],
  '22023': ['it was not prepared for this service', migrateFirst],
  '42501': ['the user may not act for the service', migrateFirst],
  '42P01': ['its tables are not there', migrateFirst],
  '42883': ['its functions are not those of this version', migrateFirst],
};

/** An error of the driver as an operator should read it; what is not known to be theirs to mend stays as it is. */
export function explainDatabaseError(url: string, error: unknown): unknown {
  const reason = reasons[codeOf(error) ?? ''];
  if (reason === undefined) return error;
  const { host, pathname } = new URL(url);
  return new DatabaseUnusable(`postgres://${host}${pathname}`, ...reason, error);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  // A host with several addresses fails once for each of them.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
