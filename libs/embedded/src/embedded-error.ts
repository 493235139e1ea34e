export type EmbeddedFailure =
  | 'binaries_missing' // no package for this platform, or it is not installed
  | 'binaries_unusable' // they do not run here (musl, an old glibc, a missing library)
  | 'folder_not_writable'
  | 'folder_in_use'
  | 'major_version'
  | 'port_taken'
  | 'root_not_possible' // root may not become another user here, and PostgreSQL refuses to run as root
  | 'start_failed';

/** Why the embedded PostgreSQL did not start. The message names place, cause and remedy and is meant to be read as it is. */
export class EmbeddedError extends Error {
  constructor(
    readonly code: EmbeddedFailure,
    /** The file, folder or address that the trouble is about. */
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
  // Not `instanceof Error`: under jest, Node's own errors are of another realm.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What an unknown error says. */
export function errorText(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
