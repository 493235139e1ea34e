import { type Operation, operationOf, type OperationId, operations } from '#contract';
import type { ManagementContext } from '#management/core';
import { type DemonstrationToken, demonstrationTokens } from '#management/integrations';
import { StartError } from '#observe';
import { describeMock, type ProviderDescription } from '#provider-document';
import { openCatalogue } from '#providers';
import { mockTicketing } from '#providers/mock-ticketing';

/** Requests of domains whose lists are not the way to begin, or have a name in their path. */
const others: Readonly<
  Record<string, Omit<DemonstratedRequest, 'operation'> & { id: OperationId }>
> = {
  notifications: {
    id: 'notifications_create_message',
    shows: 'takes a notification',
    values: {},
    body: { summary: 'hello' },
  },
  sink: { id: 'sink_post_events', shows: 'takes events', values: {}, body: [exampleEvent()] },
  storage: { id: 'storage_list_files', shows: 'files of tickets', values: { path: 'tickets' } },
  custom: {
    id: 'custom_query',
    shows: 'a catalogue of software',
    values: { operation: 'custom_query', limit: 2 },
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

interface DemonstratedRequest {
  operation: Operation;
  shows: string;
  /** Parameters in path and query. */
  values: Readonly<Record<string, string | number>>;
  body?: object;
}

interface Line extends DemonstratedRequest {
  domain: string;
  secret: string;
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
  return table(await linesOf(context, organizationId), url);
}

/**
 * Prints a program that makes a request in each domain by the client for TypeScript, each with a token for a day.
 * @throws StartError when there is no integration of a mock
 */
export async function writeDemonstration(
  context: ManagementContext,
  organizationId: string,
  url: string,
): Promise<string> {
  const { methodOf } = await import('./client-methods.js');
  const calls = (await linesOf(context, organizationId)).map(
    ({ operation, shows, values, body, secret }) => {
      const { group, method, isList } = methodOf(operation.id);
      const input = JSON.stringify({ ...values, ...(body === undefined ? {} : { body }) });
      const call = `as('${secret}').${group}.${method}(${input === '{}' ? '' : input})`;
      const records = isList ? `(await ${call}).result` : `await ${call}`;
      return `console.log(${JSON.stringify(`${group}: ${shows}`)}, ${records});`;
    },
  );
  return [
    '// npm install @onefold/client, or the package that npm run -s pack -- client writes',
    "import { createOnefold } from '@onefold/client';",
    '',
    `const as = (token) => createOnefold({ url: '${url}', token });`,
    '',
    ...calls,
  ].join('\n');
}

async function linesOf(context: ManagementContext, organizationId: string): Promise<Line[]> {
  const tokens = await tokensOf(context, organizationId);
  const providers = openCatalogue({
    make: () => undefined as never, // mocks alone are asked for
    makeMocks: (compiled) => compiled.map(describeMock),
    others: [mockTicketing(context.store)],
  });
  const lines: Line[] = [];
  for (const token of tokens) {
    const provider = await providers.find(token.integration.providerType);
    const line = provider && lineOf(token, provider);
    if (line !== undefined) lines.push(line);
  }
  return lines;
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
  { integration: { category: domain, providerFullname }, secret }: DemonstrationToken,
  provider: ProviderDescription,
): Line | undefined {
  const other = others[domain];
  const operation = other ? operationOf(other.id) : firstList(domain, provider);
  if (operation === undefined) return undefined;
  const { shows, values, body } = other ?? {
    shows: wordsOf(operation),
    values: 'limit' in operation.query ? { limit: 2 } : {},
  };
  return {
    domain,
    secret,
    operation,
    shows: `${providerFullname}: ${shows}`,
    values,
    ...(body === undefined ? {} : { body }),
  };
}

function curlOf({ operation, values, body, secret }: Line, url: string): string {
  const query = new URLSearchParams();
  let { path } = operation;
  for (const [name, value] of Object.entries(values))
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, String(value));
    else query.set(name, String(value));
  const data =
    body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const address = `${url}${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  return `curl -s -H 'Authorization: Bearer ${secret}'${data} '${address}'`;
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

function table(lines: readonly Line[], url: string): string {
  const width = (of: (line: Line) => string) => Math.max(...lines.map((line) => of(line).length));
  const domains = width(({ domain }) => domain);
  const shown = width(({ shows }) => shows);
  return lines
    .map(
      (line) => `${line.domain.padEnd(domains)}  ${line.shows.padEnd(shown)}  ${curlOf(line, url)}`,
    )
    .join('\n');
}
