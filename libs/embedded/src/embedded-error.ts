export type EmbeddedFailure =
  | 'binaries_missing' // no package for this platform, or it is not installed
  | 'binaries_unusable' // the programs do not run on this system (musl, an old glibc, a missing library)
  | 'folder_not_writable'
  | 'folder_in_use'
  | 'major_version'
  | 'port_taken'
  | 'root_not_possible' // root cannot switch to another user here, and PostgreSQL refuses to run as root
  | 'start_failed';

/** The embedded PostgreSQL did not start. The message names the place, cause and remedy and is written for operators. */
export class EmbeddedError extends Error {
  constructor(
    readonly code: EmbeddedFailure,
    /** The file, folder or address that the error is about. */
    readonly place: string,
    problem: string,
    readonly remedy: string,
    options?: { cause?: unknown },
  ) {
    super(`${place}: ${problem}. ${remedy}`, options);
    this.name = 'EmbeddedError';
  }
}

/** The code of a system error (`ENOENT`), or undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  // `instanceof Error` does not work under jest, where Node's own errors come from another realm.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the message of an unknown error. */
export function errorText(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
