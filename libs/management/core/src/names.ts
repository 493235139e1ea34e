import { isId } from '#config';
import { fault } from './faults.js';

/** What a caller may say about the names of a record it creates. */
export interface GivenNames {
  name?: string | null | undefined;
  fullname?: string | null | undefined;
}

/** The names a record gets. `derived` says that nobody asked for this `name`, so a taken one may be given a suffix. */
export interface ChosenNames {
  name: string;
  fullname: string;
  derived: boolean;
}

const longestName = 128;
const longestFullname = 256;
const namePattern = /^[a-z0-9_-]+$/;

/**
 * The specification's defaults: a record without `name` and `fullname` is named by its id, a `fullname` alone makes the
 * name, a `name` alone is the fullname too. Throws a 400 for a name that cannot be one.
 */
export function chooseNames(given: GivenNames, id: string): ChosenNames {
  const fullname = given.fullname ?? undefined;
  if (fullname !== undefined) checkFullname(fullname);
  if (given.name !== undefined && given.name !== null) {
    const name = checkName(given.name, id);
    return { name, fullname: fullname ?? name, derived: false };
  }
  const slugged = fullname === undefined ? '' : slug(fullname);
  // A display name that looks like an id would make a name under which paths find somebody else's record.
  const name = slugged === '' || isId(slugged) || isUuid(slugged) ? id : slugged;
  return { name, fullname: fullname ?? name, derived: true };
}

/**
 * A given name as it is kept: lower case, `[a-z0-9_-]`. A name shaped like one of our ids is refused, because paths take
 * either; the record's own id is its default name and stays allowed.
 */
export function checkName(name: string, ownId?: string): string {
  const lower = name.toLowerCase();
  if (lower.length === 0 || lower.length > longestName || !namePattern.test(lower))
    throw fault('/name', `name ${quote(name)} is not a name`, {
      value: name,
      remediation: `use 1 to ${longestName} characters of a-z, 0-9, _ and -; free text belongs in fullname`,
    });
  if (isId(lower) && lower !== ownId)
    throw fault('/name', `name ${quote(name)} has the shape of an id`, {
      value: name,
      remediation: 'choose a name that does not look like an id, since paths take either',
    });
  if (isUuid(lower) && lower !== ownId)
    throw fault('/name', `name ${quote(name)} has the shape of a UUID`, {
      value: name,
      remediation: 'choose a name that is not a UUID: those are the ids of mappings',
    });
  return lower;
}

/** Refuses a display name that is empty or too long. */
export function checkFullname(fullname: string): string {
  if (fullname.trim().length === 0 || fullname.length > longestFullname)
    throw fault('/fullname', `fullname has ${fullname.length} characters`, {
      remediation: `use 1 to ${longestFullname} characters, not only blanks`,
    });
  return fullname;
}

/** A display name as a short name: accents dropped, everything else outside `[a-z0-9_]` becomes one `-`. May be empty. */
export function slug(fullname: string): string {
  return fullname
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, longestName - 8) // leaves room for a suffix
    .replace(/^-+|-+$/g, '');
}

/** The names to try for a derived name, in order: `acme`, `acme-2`, `acme-3`, … */
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
