import { parse } from 'yaml';
import type { OperationId } from '#contract';
import type { ProviderFolder } from '../folders.js';

/** Exceptions from the checks of a provider, each with the reason: `excuses.yaml` of the provider's folder. */
export interface Excuses {
  /** Lists that cannot promise each row once while rows are added between their pages. */
  moving_lists?: ByOperation<string>;
  /** Fields of lists that cannot be compared. */
  incomparable_fields?: ByOperation<Record<string, string>>;
  /** Fields whose filters do not make the answers shorter, although the vendor applies them; their rows are compared all the same. */
  unnarrowed_filters?: ByOperation<Record<string, string>>;
  /** Refusals that are not what the engine derives from the status. */
  refusals?: ByOperation<Record<string, string>>;
  /** Values that a record always has at the vendor's, by their places (`issue.journals.*.notes`): they are not varied. */
  required_values?: ByOperation<Record<string, string>>;
  /** Collections of the fake of which a customer has few, however many records are in the others. */
  few_records?: Readonly<Record<string, string>>;
  /** The vendor does not say when a rate limit ends. */
  limits_without_time?: string;
}

type ByOperation<T> = { readonly [Id in OperationId]?: T };

const file = 'excuses.yaml';
const keys = new Set([
  'moving_lists',
  'incomparable_fields',
  'unnarrowed_filters',
  'refusals',
  'required_values',
  'few_records',
  'limits_without_time',
]);

/** Reads the excuses of a folder. @throws Error that names an unknown key */
export function excusesOf(folder: ProviderFolder): Excuses {
  if (!folder.has(file)) return {};
  const excuses = (parse(folder.read(file)) ?? {}) as Excuses;
  for (const key of Object.keys(excuses))
    if (!keys.has(key))
      throw new Error(
        `${folder.shown(file)}: unknown key "${key}"; known: ${[...keys].join(', ')}`,
      );
  return excuses;
}
