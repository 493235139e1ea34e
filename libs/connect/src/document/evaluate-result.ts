import { ApiError } from '#contract';
import { formatJson, typeName, type Value } from '@onefold/mapping';
import { type CompiledOperation, evaluate, textOf } from '#provider-document';
import type { InformationalProblem, Problems } from '../problems.js';
import type { ProviderRecord } from '../provider-record.js';
import type { IntegrationHttp } from './integration-http.js';
import type { StepContext } from './paging.js';

/**
 * Evaluates `rows` after the steps. Its elements may be of other types than objects, which a mapping can read. Elements that are null are left out.
 * @param hasGaps true if null stands for what the provider refused, which is named already @throws ApiError 502 unless it is a list
 */
export function evaluateRows(
  operation: CompiledOperation,
  context: StepContext,
  http: IntegrationHttp,
  problems: Problems,
  hasGaps: boolean,
): ProviderRecord[] {
  const rows = evaluateResult(operation, 'rows', context, http);
  if (!Array.isArray(rows)) throw unexpectedResult(operation, 'rows', rows, http);
  const isGap = (row: Value) => row === null || row === undefined;
  if (!rows.some(isGap)) return rows as ProviderRecord[];
  for (const [index, row] of rows.entries())
    if (!hasGaps && isGap(row)) problems.add(nullRow(operation, index));
  return rows.filter((row) => !isGap(row)) as ProviderRecord[];
}

/** Evaluates `record` after the steps. @throws ApiError 502 unless it is an object */
export function evaluateRecord(
  operation: CompiledOperation,
  context: StepContext,
  http: IntegrationHttp,
): ProviderRecord {
  const record = evaluateResult(operation, 'record', context, http);
  if (typeof record === 'object' && record !== null && !Array.isArray(record))
    return record as ProviderRecord;
  throw unexpectedResult(operation, 'record', record, http);
}

/** Evaluates `result` after the steps: the result of an action that has no record. */
export function evaluateValue(
  operation: CompiledOperation,
  context: StepContext,
  http: IntegrationHttp,
): Value {
  return evaluateResult(operation, 'result', context, http) ?? null;
}

/** Adds what `problems` says after the steps: which parts failed, where the rest succeeded. @throws ApiError 502 unless it is a list of texts */
export function noteProblems(
  operation: CompiledOperation,
  context: StepContext,
  http: IntegrationHttp,
  problems: Problems,
): void {
  const found = evaluateResult(operation, 'problems', context, http) ?? [];
  if (!Array.isArray(found)) throw unexpectedResult(operation, 'problems', found, http);
  for (const one of found)
    problems.add({
      message: http.shown(textOf(one as Value) ?? formatJson(one as Value)).slice(0, 500),
      instance: 'part-failed',
    });
}

function evaluateResult(
  operation: CompiledOperation,
  key: 'rows' | 'record' | 'result' | 'problems',
  context: StepContext,
  http: IntegrationHttp,
): Value {
  const result = operation[key];
  if (result === undefined) return undefined;
  try {
    return evaluate(result.query, context, `${operation.place}.${key}`, http.limits);
  } catch (error) {
    http.drift?.noteUnmatchedError(key);
    throw error;
  }
}

const expected = { rows: 'a list', record: 'an object', problems: 'a list' } as const;
const hints = {
  rows: 'If the provider leaves out an empty list, write `.or([])` behind the expression.',
  record: 'If it is null for a missing record, add a check with the status 404 to the step.',
  problems: 'Write a list of texts, one for each part that failed; null or [] for none.',
} as const;

function unexpectedResult(
  operation: CompiledOperation,
  key: 'rows' | 'record' | 'problems',
  value: Value,
  http: IntegrationHttp,
): ApiError {
  http.drift?.noteUnmatchedError(key);
  const found = value === undefined ? 'has no value' : `is ${withArticle(typeName(value))}`;
  return new ApiError(502, `${failedExpression(operation, key)} ${found}, not ${expected[key]}`, {
    remediation: hints[key],
    ...(value === undefined || value === null
      ? {}
      : { context: { raw_error: http.shown(formatJson(value)).slice(0, 500) } }),
  });
}

/** A mapping would make texts such as "null" of it, so a gap in a list is not taken for a record. */
function nullRow(operation: CompiledOperation, index: number): InformationalProblem {
  return {
    message: `row ${index + 1} was left out: ${failedExpression(operation, 'rows')} has null there, not a record`,
    remediation:
      'If the provider has gaps, write `.filter(row -> row != null)` behind the expression.',
    instance: 'record-left-out',
  };
}

function failedExpression(operation: CompiledOperation, key: keyof typeof expected): string {
  const { text = '', line = 1 } = operation[key] ?? {};
  return `the provider document failed at ${operation.place}.${key} (line ${line}): ${text.slice(0, 200)}`;
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
