import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  type Call,
  forbidden,
  isWithin,
  type ManagementSchemas,
  notFound,
  offersProvider,
  type Reply,
  unauthorized,
} from '#contract';
import { fault, ManagementContext, readDuration } from '#management/core';
import { customDocuments } from '#management/integrations';
import { adhocPermission, endConnectSession, endOfMaker, issueToken } from '#management/tokens';
import { domainOf, environmentsOf } from '#provider-document';
import { ProviderCatalogue } from '#providers';
import { credentialQueries, type Reader, type Token, wholeOrganization } from '#store';
import { limitsOf, pageOf } from './check-session.js';
import { PageAddress } from './page-address.js';
import { sessionOf, sessionView, type StoredSession } from './session-record.js';

type Template = ManagementSchemas['AdditionalMappingTemplate'];

const ttlBounds = { default: '15m', min: '1m', max: '1h' };
const linkTtl = { default: '24h', min: '1m', max: '7d' };

/** `/v1/connect`: sessions in which a customer connects or reconnects one integration in a page. */
@Controller()
export class ConnectSessionsHandlers {
  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
    private readonly pages: PageAddress,
  ) {}

  @Handles('connect_create_session')
  async create(call: Call<'connect_create_session'>): Promise<Reply<'connect_create_session'>> {
    const { body, caller, path } = call;
    return await this.context.create(call, async (tx) => {
      const ttl = readDuration(body.ttl, '/ttl', body.link ? linkTtl : ttlBounds);
      const account = await tx.accounts.get(path.accountId);
      const point = await tx.integrationPoints.find(body.integration_point_id);
      if (point === undefined || point.builtIn)
        throw fault('/integration_point_id', 'is not an integration point for customers', {
          value: body.integration_point_id,
          remediation: 'GET /v1/integration-points lists them.',
        });
      const integration = body.integration_id
        ? await tx.integrations.find(body.integration_id, { accountId: account.id })
        : undefined;
      if (body.integration_id && integration === undefined)
        throw fault('/integration_id', 'is not an integration of the account', {
          value: body.integration_id,
          remediation: 'GET /v1/integrations/{accountId} lists them.',
        });
      const adhocRole = {
        permission_set: 'connect-ui',
        resources: {
          accounts: { ids: [account.id] },
          integrations: { categories: [point.connector] },
        },
      };
      if (!isWithin(adhocPermission(adhocRole), caller.permissions))
        throw forbidden(
          'the session would permit more than the token that creates it',
          'Use a token that may create integrations of this domain in the account.',
        );
      const session: StoredSession = {
        scope: await limitsOf(body, account, point, integration, () =>
          this.releasedIn(tx, point.connector),
        ),
        ...pageOf(body, await tx.organization()),
        locale: body.locale,
        endUser: body.end_user,
      };
      const { token, secrets } = await issueToken(this.context, tx, {
        ...sessionToken(session),
        ownerId: caller.organizationId,
        memberId: caller.memberId,
        accountId: account.id,
        ttl,
        endsBy: await endOfMaker(tx, caller),
        adhocRole,
      });
      return { result: this.created(caller.organizationId, token, session, secrets.access) };
    });
  }

  /** Exchanges the token of a link for that of a session. Of two calls at once one gets 401. */
  @Handles('connect_open_link')
  async open({ caller }: Call<'connect_open_link'>): Promise<Reply<'connect_open_link'>> {
    const scope = wholeOrganization(caller.organizationId);
    return await this.context.store.write(scope, async (tx) => {
      const link = await tx.tokens.find(caller.tokenId);
      const stored = link && sessionOf(link);
      // A gateway may not have heard yet that the link was opened: 401 from here, as from there.
      await endConnectSession(tx, caller);
      if (!caller.connect?.link || link === undefined || stored === undefined)
        throw forbidden('the token is not one of a link', 'Use the token that a link contains.');
      const { link: _opened, ...limits } = stored.scope;
      const session: StoredSession = { ...stored, scope: limits };
      const { token, secrets } = await issueToken(this.context, tx, {
        ...sessionToken(session),
        ownerId: caller.organizationId,
        memberId: caller.memberId,
        accountId: link.accountId ?? '',
        ttl: readDuration(null, '/ttl', ttlBounds),
        endsBy: link.endsBy,
        adhocRole: link.adhocRole,
      });
      return { result: this.created(caller.organizationId, token, session, secrets.access) };
    });
  }

  /** Lists the providers of a domain that are offered to customers in production. */
  private async releasedIn(tx: Reader, domain: string): Promise<string[]> {
    const own = await this.providers.ofValid(await customDocuments(tx));
    const manifests = [...this.providers.manifests, ...own.map(({ manifest }) => manifest)];
    return manifests
      .filter((one) => environmentsOf(one, this.providers.isBuiltIn(one.type)).includes('prod'))
      .flatMap(({ type }) => (domainOf(type) === domain ? type : []));
  }

  private created(organizationId: string, token: Token, session: StoredSession, secret: string) {
    const url = this.pages.of(organizationId, session, secret);
    return { session: sessionView(token, session), token: secret, url };
  }

  /** Says to the page of a session what it may know. */
  @Handles('connect_get_session')
  async get({ caller }: Call<'connect_get_session'>): Promise<Reply<'connect_get_session'>> {
    return await this.context.store.read(wholeOrganization(caller.organizationId), async (tx) => {
      const token = await tx.tokens.find(caller.tokenId);
      // A gateway may not have heard yet that the session was spent: 401 from here, as from there.
      if (token === undefined)
        throw unauthorized('the token is unknown, expired or revoked', 'Start a new session.');
      const session = sessionOf(token);
      if (session === undefined)
        throw forbidden(
          'the token is not one of a Connect session',
          'Use the token that POST /v1/connect/{accountId}/sessions returns.',
        );
      const { options } = await tx.organization();
      const connect = options?.['connect'] as ManagementSchemas['ConnectOptions'] | undefined;
      const clients = await credentialQueries.listOAuthClients(
        tx,
        session.scope.integrationPointId,
      );
      const authorizable = clients.filter((name) => offersProvider(session.scope, name));
      return {
        result: {
          session: sessionView(token, session),
          theme: connect?.theme ?? {},
          authorizable,
          ...(await optionalMappings(tx, session.scope)),
        },
      };
    });
  }

  @Handles('connect_delete_session')
  async delete(call: Call<'connect_delete_session'>): Promise<Reply<'connect_delete_session'>> {
    const { accountId, sessionId } = call.path;
    await this.context.write(call, async (tx) => {
      const account = await tx.accounts.get(accountId);
      const token = await tx.tokens.getLocked(sessionId, { accountId: account.id });
      if (sessionOf(token) === undefined) throw notFound('connect session', sessionId);
      await tx.tokens.delete(token);
    });
    return undefined as Reply<'connect_delete_session'>;
  }
}

/** Returns the choices that the customer of a session that creates has beside the provider. */
async function optionalMappings(
  tx: Reader,
  scope: StoredSession['scope'],
): Promise<{ additional_mappings?: Template[] }> {
  if (scope.integrationId !== undefined) return {};
  const point = await tx.integrationPoints.find(scope.integrationPointId);
  const optional = ((point?.additionalMappings ?? []) as Template[]).filter(
    ({ mapping_type: type, providers }) =>
      (type ?? 'optional') === 'optional' &&
      providers.some((one) => one === '*' || offersProvider(scope, one)),
  );
  return optional.length === 0 ? {} : { additional_mappings: optional };
}

/** The parts that the tokens of all sessions and links share. */
function sessionToken(session: StoredSession) {
  return {
    ownerType: 'organization',
    fullname: session.scope.link ? 'Link to a Connect session' : 'Connect session',
    tokenType: 'adhoc',
    accessOnly: true,
    connectSession: { ...session },
  } as const;
}
