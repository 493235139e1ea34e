import { MappingError } from '@onefold/mapping';

/** The message of the error by which a document is refused; `none` if it is not. */
export function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof MappingError) return error.message;
    throw error;
  }
  return 'none';
}
