import { fault } from './faults.js';

const longestDescription = 4_096;

/** A free text about a record. @throws ApiError 400 when it is too long. */
export function checkDescription(description: string | null | undefined): string | null {
  if (description && description.length > longestDescription)
    throw fault('/description', `has ${description.length} characters`, {
      remediation: `Use at most ${longestDescription}.`,
    });
  return description ?? null;
}
