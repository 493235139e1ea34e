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

/** Actions that can be begun from everywhere; `new` opens the dialog of the screen. */
const actions: readonly (readonly [label: string, operation: Called, to: string])[] = [
  ['New account', 'accounts_create', '/accounts?new=1'],
  ['New integration point', 'integrationPoints_create', '/points?new=1'],
  ['New mapping', 'mappings_create', '/studio'],
  ['New token', 'tokens_create_token', '/tokens?new=1'],
  ['New webhook', 'organizationWebhooks_create', '/webhooks?new=1'],
  ['Invite a member', 'members_create', '/members?new=1'],
  ['Run a job', 'operations_create_job', '/jobs?new=1'],
];

/** Everything that a text finds: requests of a pasted id, screens, actions, and records by a part of their name. */
export function useEntries(text: string, wanted: string): Entry[] {
  return [...requestsFor(text), ...screensFor(text), ...actionsFor(text), ...useRecords(wanted)];
}

function screensFor(text: string): Entry[] {
  const wanted = text.trim().toLowerCase();
  return routes
    .filter(({ path, title }) => !path.includes(':') && title.toLowerCase().includes(wanted))
    .slice(0, wanted === '' ? Infinity : maxFound)
    .map(({ path, title }) => ({ label: title, detail: 'Screen', to: path }));
}

function actionsFor(text: string): Entry[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return actions
    .filter(([label, operation]) => label.toLowerCase().includes(wanted) && mayCall(operation))
    .map(([label, , to]) => ({ label, detail: 'Action', to }));
}

/** Where the request of a pasted id, or of the `instance` of a problem, may be found. */
function requestsFor(text: string): Entry[] {
  const id = idOfRequest(text);
  if (id === undefined) return [];
  return [
    { label: id, detail: 'Request of a customer’s system', to: `/requests/${id}` },
    { label: id, detail: 'In the audit trail', to: `/audit?what=all&record=${id}` },
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

interface Kind {
  operation:
    | 'integrations_list'
    | 'accounts_list'
    | 'integrationPoints_list'
    | 'mappings_list'
    | 'members_list'
    | 'organizationWebhooks_list';
  /** Begins the ids of these records. */
  prefix: string;
  detail: (one: Found) => string;
  to: (one: Found) => string;
}

const kinds = {
  integrations: {
    operation: 'integrations_list',
    prefix: 'int_',
    detail: (one) => `Integration · ${one.provider_fullname ?? one.provider_type ?? ''}`,
    to: (one) => `/integrations/${one.account_id}/${one.id}`,
  },
  accounts: {
    operation: 'accounts_list',
    prefix: 'acc_',
    detail: (one) => `Account · ${one.name}`,
    to: (one) => `/accounts/${one.id}`,
  },
  points: {
    operation: 'integrationPoints_list',
    prefix: 'ipt_',
    detail: () => 'Integration point',
    to: (one) => `/points/${one.id}`,
  },
  mappings: {
    operation: 'mappings_list',
    prefix: 'map_',
    detail: (one) => `Mapping · ${one.name}`,
    to: (one) => `/studio?mapping=${one.id}`,
  },
  webhooks: {
    operation: 'organizationWebhooks_list',
    prefix: 'owh_',
    detail: () => 'Webhook',
    to: (one) => `/webhooks/${one.id}`,
  },
  members: {
    operation: 'members_list',
    prefix: 'mbr_',
    detail: () => 'Member, with their tokens',
    to: (one) => `/tokens?whose=${one.id}`,
  },
} satisfies Record<string, Kind>;

/** Records; of a name its parts, of an id the whole. */
function useRecords(wanted: string): Entry[] {
  return [
    ...useFound(kinds.integrations, wanted),
    ...useFound(kinds.accounts, wanted),
    ...useFound(kinds.points, wanted),
    ...useFound(kinds.mappings, wanted),
    ...useFound(kinds.webhooks, wanted),
    ...useFound(kinds.members, wanted),
    ...useProviders(wanted),
  ];
}

function useFound({ operation, prefix, detail, to }: Kind, wanted: string): Entry[] {
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
    .filter(({ id, fullname }) => id === wanted || fullname.toLowerCase().includes(wanted))
    .slice(0, maxFound)
    .map(({ id, fullname }) => ({ label: fullname, detail: 'Provider', to: `/providers/${id}` }));
}
