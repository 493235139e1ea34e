import { ApiError } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import { type CompiledPage, type CompiledStep, evaluate } from '#provider-document';
import type { ProviderResponse } from '#provider-http';
import type { Problems } from '../problems.js';
import type { ProviderRecord } from '../provider-record.js';
import { answerInput, continueList, firstPage, type StepContext } from './paging.js';

/** Limits the provider calls that the pages of all steps of one call of ours can cause. */
const maxPages = 1_000;

export type PagedStep = CompiledStep & { page: CompiledPage };

/** Counts the pages that steps read for one call, and collects which lists they cut. */
export interface PageBudget {
  pages: number;
  problems: Problems;
}

/** Says in the response that the list of a step has more rows than were read. */
export function addCutProblem(
  problems: Problems,
  { name, place }: Pick<CompiledStep, 'name' | 'place'>,
  why: string,
): void {
  problems.add({
    message: `the list ${name} was cut: ${why}`,
    detail: `${place} of the provider document reads it.`,
    instance: 'list-cut',
  });
}

/**
 * Reads the list that a step answers with to its end, and returns all of its rows.
 * @param read runs the step for a page @throws ApiError 502 for a list that does not end
 */
export async function readStepPages(
  step: PagedStep,
  context: StepContext,
  budget: PageBudget,
  limits: Limits | undefined,
  read: (context: StepContext, url: string | undefined) => Promise<ProviderResponse>,
): Promise<Value[]> {
  const { page, place } = step;
  const { max_pages: pages = maxPages, size } = page.source;
  const rows: Value[] = [];
  let position = firstPage(page, size, context, limits);
  for (let number = 1; ; number += 1) {
    if (budget.pages === maxPages) throw tooManyPages(place);
    budget.pages += 1;
    const own: StepContext = { ...context, page: position };
    const answer = await read(own, position.url);
    const found = rowsOf(page, own, answer, limits);
    const { rows: fresh, next } = continueList({ page, context, answer, position, limits }, found);
    rows.push(...fresh);
    if (next === undefined) return rows;
    if (number === pages) {
      addCutProblem(budget.problems, step, `one request reads ${pages} pages of it`);
      return rows;
    }
    position = next;
  }
}

function rowsOf(
  page: CompiledPage,
  context: StepContext,
  answer: ProviderResponse,
  limits: Limits | undefined,
): ProviderRecord[] {
  const place = `${page.place}.rows`;
  const rows = page.rows && evaluate(page.rows, answerInput(context, answer), place, limits);
  if (Array.isArray(rows)) return rows as ProviderRecord[];
  throw new ApiError(502, `the provider document failed at ${place}: the value is not a list`, {
    remediation: 'If the provider leaves out an empty list, write `.or([])` behind the expression.',
  });
}

function tooManyPages(place: string): ApiError {
  return new ApiError(
    502,
    `the provider document failed at ${place}: its lists have more than ${maxPages} pages`,
    {
      remediation: 'Read fewer rows at once: page.size of the operation, or a filter.',
    },
  );
}
