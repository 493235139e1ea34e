import { RequestError } from '../api/request-error.js';
import { remedyForPeople } from '../parts/remedy.js';
import { sentence } from '../parts/sentence.js';

/** Something that the service says is wrong with a part of a request. */
export interface RequestFault {
  location: 'header' | 'path' | 'query' | 'body';
  /** JSON Pointer in a body, otherwise the name of the parameter. */
  id: string;
  message: string;
  /** Tells what to do about it. */
  remedy?: string;
}

/** Lists what the service says is wrong with a request, the first of each place. */
export function requestFaults(error: Error | undefined): readonly RequestFault[] {
  if (!(error instanceof RequestError)) return [];
  const { problem } = error;
  return [...(problem.cause ?? []), problem].flatMap(({ context, message, remediation }) => {
    const { id, location } = context?.parameter ?? {};
    return id === undefined || location === undefined
      ? []
      : {
          location,
          id,
          message: sentence(message),
          ...(remediation ? { remedy: sentence(remedyForPeople(remediation)) } : {}),
        };
  });
}

/**
 * Finds the faults of fields of a body, by their place below a prefix.
 * @param sayOf what is shown at the field
 */
export function faultsOf(
  error: Error | undefined,
  prefix = '',
  sayOf = ({ message, remedy = '' }: RequestFault) => `${message} ${remedy}`.trim(),
): Map<string, string> {
  const found = new Map<string, string>();
  for (const fault of requestFaults(error)) {
    const { location, id } = fault;
    const place = id.slice(prefix.length);
    if (location === 'body' && id.startsWith(prefix) && !found.has(place))
      found.set(place, sayOf(fault));
  }
  return found;
}

/** The fault of a place in the body, or else the first of the places below it, as of an item of a list. */
export function faultAt(faults: ReadonlyMap<string, string>, place: string): string | undefined {
  return faults.get(place) ?? [...faults].find(([one]) => one.startsWith(`${place}/`))?.[1];
}

/** Returns an error that a form has to show as a whole: undefined if all that it says is shown at fields. @param isShown by place in the body */
export function errorBeside(
  error: Error | undefined,
  isShown: (place: string) => boolean,
): Error | undefined {
  const faults = requestFaults(error);
  const isAllShown = faults.every(({ location, id }) => location === 'body' && isShown(id));
  return faults.length > 0 && isAllShown ? undefined : error;
}
