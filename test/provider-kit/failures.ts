import type { CompiledProvider } from '../../libs/connect/src/document/compiled-provider.js';
import type { ProviderFolder } from './folders.js';

type Query = CompiledProvider['errors'][number]['when'];

/** The failures that a document tells apart (`checks` and `errors`), by their places, and which of them were met. */
export class Failures {
  all: string[] = [];
  readonly met = new Set<string>();

  /** Takes note of what the document finds from now on. */
  watch(compiled: CompiledProvider): void {
    this.all = [];
    const errors = (place: string, of: CompiledProvider['errors']) => {
      for (const [index, error] of of.entries())
        error.when = this.noting(`${place}errors.${index}`, error.when, true);
    };
    errors('', compiled.errors);
    for (const operation of new Set(compiled.reads.values())) {
      errors(`${operation.place}.`, operation.errors);
      for (const step of operation.steps)
        for (const [index, check] of step.checks.entries())
          check.that = this.noting(`${step.place}.checks.${index}`, check.that, false);
    }
  }

  /** @param tells the value by which the query says that it is this failure */
  private noting(place: string, query: Query, tells: boolean): Query {
    this.all.push(place);
    return (...given) => {
      const value = query(...given);
      if ((value === true) === tells) this.met.add(place);
      return value;
    };
  }
}

const known = new Map<string, Failures>();

export function failuresOf(folder: ProviderFolder): Failures {
  const found = known.get(folder.url.href) ?? new Failures();
  known.set(folder.url.href, found);
  return found;
}
