import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledProvider } from '#provider-document';

type Query = CompiledProvider['errors'][number]['when'];

/** Observations about a document during one run. */
export interface DocumentNotes {
  /** Places of the `checks` and `errors` that occurred, in order. */
  met: string[];
  /** The last message that the document read from a response. */
  words: string | undefined;
}

const current = new AsyncLocalStorage<DocumentNotes>();
/** Number of runs that are under way. */
let running = 0;

/** Runs work, and collects observations about documents meanwhile. Concurrent runs do not see each other's. */
export async function noting<T>(
  work: () => Promise<T>,
): Promise<[result: T, notes: DocumentNotes]> {
  const notes: DocumentNotes = { met: [], words: undefined };
  running += 1;
  try {
    return [await current.run(notes, work), notes];
  } finally {
    running -= 1;
    // Active asynchronous storage makes every promise of the process slower.
    if (running === 0) current.disable();
  }
}

/**
 * Makes a compiled document record the failures that it distinguishes.
 * @returns the places of its `checks` and `errors`
 */
export function watchFailures(compiled: CompiledProvider): string[] {
  const places: string[] = [];
  const watchErrors = (parent: string, errors: CompiledProvider['errors']) => {
    for (const [index, error] of errors.entries()) {
      const place = `${parent}errors.${index}`;
      places.push(place);
      error.when = notingPlace(place, error.when, true);
      error.message = error.message && notingWords(error.message);
    }
  };
  compiled.message = compiled.message && notingWords(compiled.message);
  watchErrors('', compiled.errors);
  for (const one of compiled.verify) one.message = one.message && notingWords(one.message);
  for (const operation of new Set(compiled.reads.values())) {
    watchErrors(`${operation.place}.`, operation.errors);
    for (const step of operation.steps)
      for (const [index, check] of step.checks.entries()) {
        const place = `${step.place}.checks.${index}`;
        places.push(place);
        check.that = notingPlace(place, check.that, false);
        check.message = notingWords(check.message);
      }
  }
  return places;
}

/** Wraps a query. @param met the value that means that the failure occurred */
function notingPlace(place: string, query: Query, met: boolean): Query {
  return (...given) => {
    const value = query(...given);
    if ((value === true) === met) current.getStore()?.met.push(place);
    return value;
  };
}

function notingWords(query: Query): Query {
  return (...given) => {
    const value = query(...given);
    const notes = current.getStore();
    if (notes !== undefined)
      notes.words = typeof value === 'string' && value !== '' ? value : undefined;
    return value;
  };
}
