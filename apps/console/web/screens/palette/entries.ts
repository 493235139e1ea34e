import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { nameContains } from '../../parts/account-names.js';
import { idOfRequest } from '../../parts/request-id.js';
import { routes } from '../../routes.js';

const maxFound = 8;

/** A place of the console that “Go to” leads to. */
export interface Entry {
  label: string;
  detail: string;
  to: string;
}

type Called = Parameters<typeof mayCall>[0];

/** Actions that can be begun from everywhere, on their screens, whose dialogs `new` opens. */
const actions: readonly (readonly [label: string, operation: Called, to: string])[] = [
  ['New account', 'accounts_create', '/accounts'],
  ['New integration point', 'integrationPoints_create', '/points'],
  ['New mapping', 'mappings_create', '/studio'],
  ['New token', 'tokens_create_token', '/tokens'],
  ['New webhook', 'organizationWebhooks_create', '/webhooks'],
  ['Invite a member', 'members_create', '/members'],
  ['Run a job', 'operations_create_job', '/jobs'],
];

/** Everything that a text finds: requests of a pasted id, screens, actions, and records by a part of their name. */
export function useEntries(text: string, wanted: string): Entry[] {
  const part = text.trim().toLowerCase();
  return [...requestsFor(text), ...screensFor(part), ...actionsFor(part), ...useRecords(wanted)];
}

function screensFor(wanted: string): Entry[] {
  return routes
    .filter(({ path, title }) => !path.includes(':') && title.toLowerCase().includes(wanted))
    .slice(0, wanted === '' ? Infinity : maxFound)
    .map(({ path, title }) => ({ label: title, detail: 'Screen', to: path }));
}

function actionsFor(wanted: string): Entry[] {
  if (wanted === '') return [];
  return actions
    .filter(([label, operation]) => label.toLowerCase().includes(wanted) && mayCall(operation))
    .map(([label, , to]) => ({ label, detail: 'Action', to: `${to}?new=1` }));
}

/** Where the request of a pasted id, or of the `instance` of a problem, may be found. */
function requestsFor(text: string): Entry[] {
  const id = idOfRequest(text);
  if (id === undefined) return [];
  return [
    { label: id, detail: 'Call of a customer', to: `/requests/${id}` },
    { label: id, detail: 'Audit trail', to: `/audit?what=all&record=${id}` },
  ];
}

interface Found {
  id: string;
  name?: string | null;
  fullname?: string | null;
  account_id?: string;
  provider_type?: string;
  provider_fullname?: string | null;
}

type Kind = readonly [
  operation:
    | 'integrations_list'
    | 'accounts_list'
    | 'integrationPoints_list'
    | 'mappings_list'
    | 'members_list'
    | 'organizationWebhooks_list',
  /** Begins the ids of these records. */
  prefix: string,
  detail: (one: Found) => string,
  to: (one: Found) => string,
];

const kinds: readonly Kind[] = [
  [
    'integrations_list',
    'int_',
    (one) => `Integration · ${one.provider_fullname ?? one.provider_type ?? ''}`,
    (one) => `/integrations/${one.account_id}/${one.id}`,
  ],
  ['accounts_list', 'acc_', (one) => `Account · ${one.name}`, (one) => `/accounts/${one.id}`],
  ['integrationPoints_list', 'ipt_', () => 'Integration point', (one) => `/points/${one.id}`],
  ['mappings_list', 'map_', (one) => `Mapping · ${one.name}`, (one) => `/studio?mapping=${one.id}`],
  ['organizationWebhooks_list', 'owh_', () => 'Webhook', (one) => `/webhooks/${one.id}`],
  ['members_list', 'mbr_', () => 'Member', (one) => `/tokens?whose=${one.id}`],
];

/** Records; of a name its parts, of an id the whole. */
function useRecords(wanted: string): Entry[] {
  return [...kinds.flatMap((kind) => useFound(kind, wanted)), ...useProviders(wanted)];
}

function useFound([operation, prefix, detail, to]: Kind, wanted: string): Entry[] {
  const filter = wanted.startsWith(prefix) ? `id[eq]${wanted}` : nameContains(wanted);
  const isAsked = wanted !== '' && mayCall(operation);
  const read = useRead(operation, { query: { limit: maxFound, filter } }, undefined, isAsked);
  const found: readonly Found[] = isAsked ? (read.data?.result ?? []) : [];
  return found.map((one) => ({
    label: one.fullname ?? one.name ?? one.id,
    detail: detail(one),
    to: to(one),
  }));
}

function useProviders(text: string): Entry[] {
  const isAsked = text !== '' && mayCall('capabilities_list_providers');
  const read = useRead('capabilities_list_providers', {}, undefined, isAsked);
  const wanted = text.toLowerCase();
  return (isAsked ? (read.data?.result ?? []) : [])
    .filter(({ id, fullname }) => `${id} ${fullname}`.toLowerCase().includes(wanted))
    .slice(0, maxFound)
    .map(({ id, fullname }) => ({ label: fullname, detail: 'Provider', to: `/providers/${id}` }));
}
