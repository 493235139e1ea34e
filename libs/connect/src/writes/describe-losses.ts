import { isDeepStrictEqual } from 'node:util';
import { recordFields, recordOutline } from '#contract';
import { formatJson } from '@onefold/mapping';
import { findLostChanges, findLostValues, type LostValue } from './kept-values.js';
import { findChain } from '../records/mapping-chain.js';
import type { OperationRun } from '../operation-run.js';
import { createOf } from './patch-record.js';
import type { InformationalProblem } from '../problems.js';
import type { ProviderRecord } from '../provider-record.js';
import { isEmpty, lostFields } from './written-fields.js';

/** The record of a create or patch, in our shape. */
export interface SentRecord {
  /** As the caller wants it to be. */
  wanted: ProviderRecord;
  /** As it was; of a patch. */
  before?: ProviderRecord;
}

/**
 * Names what a create or patch has sent and the provider does not have, as informational problems: the fields that its mapping does not read,
 * at any depth, and those whose value differs in the record that was read back.
 * @param written the record that was read back, if the provider returns one
 */
export function describeLosses(
  run: OperationRun,
  sent: SentRecord,
  written: ProviderRecord | undefined,
): InformationalProblem[] {
  const { offered } = run;
  const isPatch = sent.before !== undefined;
  const isRecord = isPatch || sendsRecord(run);
  const unread = isPatch ? [] : lostFields(run, sent.wanted);
  const inner = (isRecord ? unreadInside(run, sent) : []).filter(
    ([field = '']) => !unread.includes(field),
  );
  const paths = [...unread.map((field) => [field]), ...inner];
  const isNamed = (path: readonly string[]) =>
    paths.some((one) => one.every((name, index) => path[index] === name));
  const fills = offered.responseFields;
  const lost = (isRecord ? lostValues(run, sent, written) : []).filter(
    ({ path: [field = '', ...rest] }) =>
      !isNamed([field, ...rest]) &&
      // A field that no response tells cannot be compared.
      (fills === undefined || fills.some((one) => one === field || one.startsWith(`${field}.`))),
  );
  return [...lost.map((one) => notKept(run, one)), ...paths.map((path) => notWritten(run, path))];
}

/** False of bodies that have the record, or several, within a field: they have none of the fields of the record that is returned. */
function sendsRecord({ operation }: OperationRun): boolean {
  const record = recordFields(operation.id);
  return operation.fields.some((field) => record?.find(field) !== undefined);
}

function lostValues(
  { operation }: OperationRun,
  { wanted, before }: SentRecord,
  written: ProviderRecord | undefined,
): LostValue[] {
  if (written === undefined) return [];
  const outline = recordOutline(operation.id);
  const lost =
    before === undefined
      ? findLostValues(wanted, written)
      : findLostChanges(before, wanted, written);
  // A field that callers send beside the record, such as the cursor of an action that waits, cannot be read back.
  return lost.filter(({ path: [field = ''] }) => outline?.names.includes(field) ?? true);
}

/** Finds what is in a field that the mapping reads, and is itself certainly not read. A customer's mapping may write it elsewhere. */
function unreadInside(run: OperationRun, { wanted, before }: SentRecord): string[][] {
  const { offered, integration, operation } = run;
  const { leavesUnread } = offered;
  if (leavesUnread === undefined) return [];
  if (findChain(integration, operation.id).some(({ data }) => data !== undefined)) return [];
  return Object.entries(wanted).flatMap(([field, value]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const old = (before?.[field] ?? {}) as ProviderRecord;
    return Object.entries(value)
      .filter(
        ([name, inner]) =>
          !isEmpty(inner) && !isDeepStrictEqual(old[name], inner) && leavesUnread([field, name]),
      )
      .map(([name]) => [field, name]);
  });
}

function notWritten({ integration }: OperationRun, path: readonly string[]): InformationalProblem {
  const field = path.join('.');
  return {
    message: `${field} was not written: the mapping to the provider does not read it`,
    detail: `The provider ${integration.providerType} has the record without ${field}.`,
    instance: 'field-not-written',
    context: { parameter: { id: pointerOf(path), location: 'body' } },
  };
}

function notKept(
  { integration, operation }: OperationRun,
  { path, sent, kept }: LostValue,
): InformationalProblem {
  const field = path.join('.');
  const values = createOf(operation)?.enums.includes(field) ?? false;
  return {
    message: isEmpty(sent)
      ? `${field} was removed, the provider still has ${shown(kept)}`
      : `${field} was sent as ${shown(sent)}, the provider has ${isEmpty(kept) ? 'no value for it' : shown(kept)}`,
    detail: values
      ? `GET /v1/capabilities/providers/${integration.providerType}?expand=operations lists the values of ${field}.`
      : `The record was read back after it was written, and is shown as the provider ${integration.providerType} has it.`,
    instance: 'value-not-kept',
    context: { parameter: { id: pointerOf(path), location: 'body' } },
  };
}

/** JSON Pointer of a field. */
function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Maximum number of characters of a value that a message shows. */
const maxShownLength = 100;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : formatJson(value);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
