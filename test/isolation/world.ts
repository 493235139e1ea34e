import pg from 'pg';
import { operationOf, type OperationId } from '#contract';
import { eventually } from '#test/harness';
import { sampleBody } from '../bodies/sample.js';
import { send } from './requests.js';

/** Returns a text that is in every record of a world and in no request, so that it reveals a leak. */
export const canary = (name: string) => `canary-${name}`;

/** Ids by the path parameter that accepts them. */
export type Ids = Readonly<Record<string, string>>;

/** An account with a record of every kind. */
export interface AccountWorld {
  accountId: string;
  ids: Ids;
  /** Ids that its provider assigned, by the path parameter that accepts them. */
  records: Ids;
  /** The secrets of an integration token. */
  integration: { access: string; refresh: string };
  /** The access secret of the token that was created with the account. */
  token: string;
}

/** An organization with a record of every kind, and two accounts. */
export interface World {
  name: string;
  organizationId: string;
  administrator: { access: string; refresh: string; tokenId: string };
  session: string;
  ids: Ids;
  accounts: [AccountWorld, AccountWorld];
}

/** The password of every member. */
export const password = 'a password nobody guesses';

/** The service in which a world is created. */
export interface Place {
  url: string;
  /** Connects as the owner of the tables, for records that no operation creates. */
  databaseUrl?: string;
}

/** Fills an organization through the API. */
export async function createWorld(
  service: Place,
  name: string,
  administrator: World['administrator'] & { organizationId: string },
): Promise<World> {
  const make = maker(service, administrator.access);
  const fullname = `${name} ${canary(name)}`;
  const named = (kind: string) => ({ name: `${name}-${kind}`, fullname });

  const point = await make('integrationPoints_create', {
    ...named('point'),
    environments: { test: ['*'], prod: ['*', 'ticketing_mock_ticketing'] }, // the mock is for the sessions of specs
  });
  const pointCredential = await make('credentials_create', secretOf(fullname), {
    ownerId: point.id,
  });
  const chatPoint = await make('integrationPoints_create', {
    ...named('chat'),
    connector: 'chat',
    environments: { test: ['*'], prod: ['*'] },
  });
  const application = { type: 'o_auth_client', client_id: canary(name), client_secret: 'hidden' };
  await make(
    'credentials_create',
    { name: 'chat_slack', fullname, config: application },
    { ownerId: chatPoint.id },
  );
  const webhook = await make('organizationWebhooks_create', {
    ...named('webhook'),
    filters: ['all'],
    environment: 'prod',
  });
  const mapping = (await make('mappings_create', named('mapping')))['mapping'] as Made;
  const custom = (await make('customs_create', { ...named('custom'), data: customProvider(name) }))[
    'custom'
  ] as Made;
  const role = await make('roles_create', { ...named('role') });
  const email = `${name}@example.com`;
  const person = (
    await make('members_create', {
      name: email,
      fullname,
      secret: password,
      role_binding: ['administrator'],
    })
  )['member'] as Made;
  const sso = await make('auth_create_sso', { fullname });
  const sub = (await make('subOrgs_create', named('sub')))['organization'] as Made;
  const token = await make('tokens_create_token', {
    ...named('token'),
    resources: { accounts: { ids: ['*'] } },
  });
  const logon = await make(
    'auth_logon',
    { name: email, secret: password },
    { organizationId: administrator.organizationId },
  );
  const world = {
    name,
    organizationId: administrator.organizationId,
    administrator,
    session: secretIn(logon['token']).access,
    ids: {
      integrationPointId: point.id,
      chatPointId: chatPoint.id,
      pointCredentialId: pointCredential.id,
      webhookId: webhook.id,
      webhookCredentialId: String(webhook['credential_id']),
      mappingId: mapping.id,
      customId: custom.id,
      roleId: role.id,
      memberId: person.id,
      ssoId: sso.id,
      organizationId: sub.id,
      refreshTokenId: token.id,
    },
  };
  return {
    ...world,
    accounts: [
      await createAccount(service, world, 'one', 'prod'),
      await createAccount(service, world, 'two', 'test'),
    ],
  };
}

async function createAccount(
  service: Place,
  world: Omit<World, 'accounts'>,
  which: string,
  environment: string,
): Promise<AccountWorld> {
  const make = maker(service, world.administrator.access);
  const name = `${world.name}-${which}`;
  const fullname = `${name} ${canary(name)} ${canary(world.name)}`;
  const made = await make('accounts_create', {
    name,
    fullname,
    environment,
    labels: [name],
    token: { name: `${name}-made`, permission_set: 'account-manager' },
  });
  const account = made['account'] as Made;
  const accountId = account.id;
  const at = { accountId };
  const bridge = (await make('bridges_create', { name, fullname }, at))['bridge'] as Made;
  const credential = await make('credentials_create', secretOf(fullname), { ownerId: accountId });
  const created = await make(
    'integrations_create',
    {
      name,
      fullname,
      provider_config: { type: 'ticketing_mock_ticketing' },
      integration_point_id: world.ids['integrationPointId'],
    },
    at,
  );
  const integration = created['integration'] as Made;
  const inline = await make(
    'integrations_create',
    { name: `${name}-inline`, fullname, provider_config: withSecret() },
    at,
  );
  const [own] = inline['credentials_created'] as Made[];
  const session = await make(
    'connect_create_session',
    {
      integration_point_id: world.ids['integrationPointId'],
      end_user: { id: name, label: fullname },
    },
    at,
  );
  const begun = await make(
    'connect_begin_authorization',
    { integration_point_id: world.ids['chatPointId'], provider: 'chat_slack' },
    at,
  );
  const pair = secretIn(created['token']);
  const ticket = maker(service, pair.access);
  // Ticket numbers start at the same value in every integration, so the second account gets more tickets than the first.
  let ticketId = '';
  for (let index = 0; index < (which === 'one' ? 1 : 5); index += 1)
    ticketId = (await ticket('ticketing_create_ticket', { summary: fullname })).id;
  const of = { ticketId };
  const text = { content: fullname };
  const comment = await ticket('ticketing_create_comment', text, of);
  const note = await ticket('ticketing_create_note', { ...text, title: 'note' }, of);
  const attachment = await ticket(
    'ticketing_create_attachment',
    { file_name: 'a.txt', content: Buffer.from(fullname).toString('base64') },
    of,
  );
  if (service.databaseUrl !== undefined)
    await insertRun(service.databaseUrl, world.organizationId, accountId, integration.id);
  return {
    accountId,
    integration: pair,
    token: secretIn((made['token'] as Made)['primary']).access,
    ids: {
      accountId,
      integrationId: integration.id,
      bridgeId: bridge.id,
      credentialId: credential.id,
      inlineCredentialId: own?.id ?? '',
      sessionId: (session['session'] as Made).id,
      authorizationId: (begun['authorization'] as Made).id,
      integrationTokenId: String(integration['refresh_token_id']),
      requestId: await requestOf(service, world.administrator.access, integration.id),
    },
    records: {
      operationId: `opr-${integration.id}`,
      ticketId,
      commentId: comment.id,
      noteId: note.id,
      attachmentId: attachment.id,
    },
  };
}

/** Returns the id of a call of an integration, which is logged within seconds. */
async function requestOf(service: Place, access: string, integrationId: string): Promise<string> {
  const query = { filter: `integration_id[eq]${integrationId}` };
  return await eventually(async () => {
    const { result } = await send(
      service,
      operationOf('requests_list'),
      { path: {}, query },
      access,
    );
    const [{ id } = { id: '' }] = result as Made[];
    if (id === '') throw new Error(`no call of ${integrationId} is logged`);
    return id;
  });
}

/** Tables that record attempts of others, with the organization that was addressed. */
const journals = ['audit_records', 'logon_attempts'];

/** Returns the rows of all tables that match a condition. */
export async function rowsOf(
  databaseUrl: string,
  condition: (columns: readonly string[]) => string | undefined,
): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
      `select format('%I', c.relname) as name, array_agg(a.attname::text) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       group by 1 order by 1`,
    );
    const found: Record<string, string[]> = {};
    for (const { name, columns } of tables) {
      const where = journals.includes(name) ? undefined : condition(columns);
      if (where === undefined) continue;
      const { rows } = await client.query<{ text: string }>(
        `select r::text as text from ${name} r where ${where} order by 1`,
      );
      found[name] = rows.map(({ text }) => text);
    }
    return found;
  } finally {
    await client.end();
  }
}

interface Made {
  id: string;
  [field: string]: unknown;
}

function maker(service: Place, access: string) {
  return async (
    id: OperationId,
    fields: object = {},
    path: Record<string, string | undefined> = {},
  ): Promise<Made> => {
    const operation = operationOf(id);
    const body = { ...(sampleBody(operation) as object | undefined), ...fields };
    const { status, text, result } = await send(
      service,
      operation,
      { path: path as Record<string, string>, body },
      access,
    );
    if (status !== 200) throw new Error(`${id} for the world returned ${status}: ${text}`);
    return result as Made;
  };
}

function secretOf(fullname: string) {
  return { fullname, config: { type: 'token', secret: canary('secret') } };
}

/** Returns a custom provider document. */
export function customProvider(name: string): string {
  return `
provider: custom_${name}
version: 1.0.0
fullname: ${name} ${canary(name)}
vendor: Specs
credentials: { credential: { token: { send: header, name: authorization, value: this.credential.secret } } }
http: { base_url: this.config.url, origins: ['https://${name}.example.com'], message: this.body.error }
operations:
  custom_get:
    steps: [{ name: thing, path: '/things/{this.path.id}' }]
    record: this.steps.thing
`;
}

function withSecret() {
  return {
    type: 'ticketing_jira',
    url: 'https://desk.example.com',
    credential: { type: 'basic', username: 'u', secret: canary('secret') },
  };
}

/** Returns the secrets of a token pair. */
export function secretIn(pair: unknown): { access: string; refresh: string } {
  const { access, refresh } = pair as Record<'access' | 'refresh', { secret: string }>;
  return { access: access.secret, refresh: refresh.secret };
}

/** Inserts a job with a run, as the worker will write them. */
async function insertRun(
  databaseUrl: string,
  organizationId: string,
  accountId: string,
  integrationId: string,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const columns = [organizationId, accountId, integrationId, `opr-${integrationId}`];
  await client.query(
    `insert into operations (id, organization_id, account_id, integration_id, operation, input, status, created_at, updated_at)
     values ($4, $1, $2, $3, 'ticketing_query_tickets', '{}', 'CANCELLED', now(), now())`,
    columns,
  );
  await client.query(
    `insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, operation, trigger_type,
       trigger_source, status, started_at, completed_at)
     values ('run-' || $3, $1, $2, $3, $4, 'ticketing_query_tickets', 'API', 'manual', 'COMPLETE', clock_timestamp(), now())`,
    columns,
  );
  await client.end();
}
