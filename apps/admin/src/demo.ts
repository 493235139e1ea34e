import { type Operation, operations } from '#contract';
import type { ManagementContext } from '#management/core';
import { type DemonstrationToken, demonstrationTokens } from '#management/integrations';
import { StartError } from '#observe';
import { describeMock, type ProviderDescription } from '#provider-document';
import { openCatalogue } from '#providers';
import { mockTicketing } from '#providers/mock-ticketing';

/** Requests of domains whose lists are not the way to begin, or have a name in their path. */
const others: Readonly<Record<string, { path: string; shows: string; body?: object }>> = {
  notifications: {
    path: '/v1/notifications/create',
    shows: 'takes a notification',
    body: { summary: 'hello' },
  },
  sink: { path: '/v1/sink/events', shows: 'takes events', body: [exampleEvent()] },
  storage: { path: '/v1/storage/folders/tickets', shows: 'files of tickets' },
  custom: {
    path: '/v1/custom/operations/query/custom_query?limit=2',
    shows: 'a catalogue of software',
  },
};
/** Lists that show most at first sight, by what they list; the others come in the order of the contract. */
const preferred = [
  'tickets',
  'devices',
  'endpoints',
  'conversations',
  'users',
  'findings',
  'events',
];

interface Line {
  domain: string;
  shows: string;
  curl: string;
}

/**
 * Prints a request for each domain that has an integration of a mock, each with a token for a day.
 * @param url address of the API
 * @throws StartError when there is none
 */
export async function describeDemonstration(
  context: ManagementContext,
  organizationId: string,
  url: string,
): Promise<string> {
  const tokens = await tokensOf(context, organizationId);
  const providers = openCatalogue({
    make: () => undefined as never, // mocks alone are asked for
    makeMocks: (compiled) => compiled.map(describeMock),
    others: [mockTicketing(context.store)],
  });
  const lines: Line[] = [];
  for (const token of tokens) {
    const provider = await providers.find(token.integration.providerType);
    const line = provider && lineOf(token, provider, url);
    if (line !== undefined) lines.push(line);
  }
  return table(lines);
}

/**
 * Prints commands of a shell that set a variable for each domain to a token for a day, such as EDR, and ONEFOLD to the address.
 * @throws StartError when there is no integration of a mock
 */
export async function exportDemonstration(
  context: ManagementContext,
  organizationId: string,
  url: string,
): Promise<string> {
  const tokens = await tokensOf(context, organizationId);
  return [
    `export ONEFOLD=${url}`,
    ...tokens.map(
      ({ integration, secret }) => `export ${integration.category.toUpperCase()}=${secret}`,
    ),
  ].join('\n');
}

async function tokensOf(
  context: ManagementContext,
  organizationId: string,
): Promise<DemonstrationToken[]> {
  const tokens = await demonstrationTokens(context, organizationId);
  if (tokens.length > 0) return tokens;
  throw new StartError(
    'There is no integration of a mock: npm start in an empty data folder makes one in each domain.',
  );
}

function lineOf(
  { integration: { category, providerFullname }, secret }: DemonstrationToken,
  provider: ProviderDescription,
  url: string,
): Line | undefined {
  const first = firstList(category, provider);
  const { path, shows, body } = others[category] ?? {
    path: first && `${first.path}${'limit' in first.query ? '?limit=2' : ''}`,
    shows: first && wordsOf(first),
  };
  if (path === undefined) return undefined;
  const data =
    body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return {
    domain: category,
    shows: `${providerFullname}: ${shows ?? ''}`,
    curl: `curl -s -H 'Authorization: Bearer ${secret}'${data} '${url}${path}'`,
  };
}

/** The list of the domain that the provider has, and that needs nothing but a token. */
function firstList(domain: string, { operations: offered }: ProviderDescription) {
  const lists = [...operations.values()].filter(
    ({ id, group, method, path, state }) =>
      group === domain &&
      state === 'served' &&
      method === 'GET' &&
      !path.includes('{') &&
      offered[id] !== undefined,
  );
  const wanted = preferred.map((name) => lists.find(({ id }) => id.endsWith(`_query_${name}`)));
  return wanted.find((one) => one !== undefined) ?? lists[0];
}

/** An event of OCSF, with nothing that it need not have. */
function exampleEvent(): object {
  return {
    class_name: 'Base Event',
    class_uid: 0,
    category_uid: 0,
    type_uid: 99,
    activity_id: 99,
    severity_id: 1,
    time: Date.now(),
    message: 'hello',
    metadata: { version: '1.3.0', product: { name: 'Onefold', vendor_name: 'Onefold' } },
  };
}

/** `edr_query_endpoints` shows endpoints. */
function wordsOf({ id }: Operation): string {
  return id.replace(/^[a-z]+_(?:query|list)_/i, '').replaceAll('_', ' ');
}

function table(lines: readonly Line[]): string {
  const width = (of: (line: Line) => string) => Math.max(...lines.map((line) => of(line).length));
  const domains = width(({ domain }) => domain);
  const shown = width(({ shows }) => shows);
  return lines
    .map(({ domain, shows, curl }) => `${domain.padEnd(domains)}  ${shows.padEnd(shown)}  ${curl}`)
    .join('\n');
}
