import { fault } from './faults.js';

const maxDescriptionLength = 4_096;

/** Checks a free text about a record. @throws ApiError 400 if it is too long */
export function checkDescription(description: string | null | undefined): string | null {
  if (description && description.length > maxDescriptionLength)
    throw fault('/description', `has ${description.length} characters`, {
      remediation: `Use at most ${maxDescriptionLength}.`,
    });
  return description ?? null;
}
