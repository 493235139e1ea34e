import { isId } from '#config';
import { fault } from './faults.js';

/** Names in the body of a create. */
export interface GivenNames {
  name?: string | null | undefined;
  fullname?: string | null | undefined;
}

/**
 * Names of a record. `derived` means that the caller did not choose `name`, so a suffix may be added if it is taken.
 */
export interface ChosenNames {
  name: string;
  fullname: string;
  derived: boolean;
}

const maxNameLength = 128;
const maxFullnameLength = 256;
/** Clients mark records that they delete again with ~, such as those of their tests. */
const namePattern = /^~?[a-z0-9_-]+$/;

/**
 * Applies the specification's defaults: `name` is made from `fullname`, or else is the id; `fullname` defaults to
 * `name`.
 * @throws ApiError 400 for an invalid name
 */
export function chooseNames(given: GivenNames, id: string): ChosenNames {
  const fullname = given.fullname ?? undefined;
  if (fullname !== undefined) checkFullname(fullname);
  if (given.name !== undefined && given.name !== null) {
    const name = checkName(given.name, id);
    return { name, fullname: fullname ?? name, derived: false };
  }
  const slugged = fullname === undefined ? '' : slug(fullname);
  // A display name that looks like an id would make a name by which paths find another record.
  const name = slugged === '' || isId(slugged) || isUuid(slugged) ? id : slugged;
  return { name, fullname: fullname ?? name, derived: true };
}

/**
 * Returns a valid name in lower case, `[a-z0-9_-]` behind an optional `~`. A name shaped like one of our ids is refused, because paths take
 * either; the record's own id is its default name and is allowed.
 * @param ownId the id of the record
 */
export function checkName(name: string, ownId?: string): string {
  const lower = name.toLowerCase();
  if (lower.length === 0 || lower.length > maxNameLength || !namePattern.test(lower))
    throw fault('/name', `name ${quote(name)} is not valid`, {
      value: name,
      remediation: `use 1 to ${maxNameLength} characters of a-z, 0-9, _ and -, with or without a ~ before them; free text belongs in fullname`,
    });
  if (isId(lower) && lower !== ownId)
    throw fault('/name', `name ${quote(name)} has the shape of an id`, {
      value: name,
      remediation: 'choose a name that does not look like an id, since paths take either',
    });
  // Only mappings have ids of this form. Other records may be named by the id that existing clients know them by.
  if (isUuid(lower) && lower !== ownId && (ownId === undefined || isUuid(ownId)))
    throw fault('/name', `name ${quote(name)} has the shape of a UUID`, {
      value: name,
      remediation: 'choose a name that is not a UUID: those are the ids of mappings',
    });
  return lower;
}

/** Refuses a display name that is blank or too long. */
export function checkFullname(fullname: string): string {
  if (fullname.trim().length === 0 || fullname.length > maxFullnameLength)
    throw fault('/fullname', `fullname has ${fullname.length} characters`, {
      remediation: `use 1 to ${maxFullnameLength} characters, not only blanks`,
    });
  return fullname;
}

/**
 * Makes a short name from a display name: accents are dropped, everything else outside `[a-z0-9_]` becomes one `-`. May
 * be empty.
 */
export function slug(fullname: string): string {
  return fullname
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, maxNameLength - 8) // Leaves room for a suffix.
    .replace(/^-+|(?<!-)-+$/g, '');
}

/** Yields the names to try for a derived name, in order: `acme`, `acme-2`, `acme-3`, … */
export function candidateNames(base: string, count = 20): string[] {
  return [base, ...Array.from({ length: count - 1 }, (_, index) => `${base}-${index + 2}`)];
}

/** True for the ids of mappings. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
