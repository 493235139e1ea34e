import type { CompiledBudget } from './compiled-provider.js';
import type { DocumentReader } from './document-reader.js';
import type { DocumentSource, Method } from './source.js';
import { documentNames } from './visible-names.js';

/** Compiles the budgets of a document, which its requests then belong to. */
export function compileBudgets(reader: DocumentReader, source: DocumentSource): CompiledBudget[] {
  const names = documentNames(source).configuration;
  const known = new Set<string>();
  return (source.http.limits?.budgets ?? []).map((budget, index) => {
    const place = ['http', 'limits', 'budgets', index];
    if (known.has(budget.name))
      reader.fault([...place, 'name'], `there is another budget "${budget.name}"`);
    known.add(budget.name);
    const requests = [...place, 'requests'];
    return {
      source: budget,
      place: requests.join('.'),
      requests: typeof budget.requests === 'string' ? reader.query(requests, names) : undefined,
    };
  });
}

/** Finds the budgets that a request belongs to. @param path its path as the document writes it; undefined for a request with an address */
export function findBudgets(
  budgets: readonly CompiledBudget[],
  method: Method,
  path: string | undefined,
): CompiledBudget[] {
  return budgets.filter(
    ({ source: { methods, paths } }) =>
      (methods?.includes(method) ?? true) &&
      (paths?.some((start) => path?.startsWith(start) === true) ?? true),
  );
}
