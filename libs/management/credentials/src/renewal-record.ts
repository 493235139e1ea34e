import type { ResolvedIntegration } from '#bus';
import type { ManagementContext } from '#management/core';
import { Cursors, type Sealer } from '#secrets';
import { type Credential, type Reader, renewalQueries, type Transaction } from '#store';

/** A token is renewed this long before it expires, or in the last fifth of a short life. */
const earlierMs = 5 * 60_000;
/** A connector resolves an integration anew each second while it is used. */
const ticketMs = 10 * 60_000;

/** How a granted token is renewed, as it is stored. */
export type Renewal = renewalQueries.Renewal;

/** The part of what an authorization server issued that renews a token. */
export interface Issued {
  refreshToken: string;
  /** Absent where the server does not say it: the token is renewed when it is refused. */
  expiresInSeconds: number | undefined;
}

/** The content of a ticket, which permits to have one credential renewed, and sealed for one domain. */
export interface Ticket {
  credentialId: string;
  domain: string;
}

type ResolvedCredential = ResolvedIntegration['credentials'][string];

/** Stores how the token of a credential is renewed. */
export async function insertRenewal(
  context: ManagementContext,
  tx: Transaction,
  { id, accountId }: Pick<Credential, 'id' | 'accountId'>,
  of: Pick<Renewal, 'provider' | 'client_credential_id' | 'token_origin'>,
  issued: Issued,
): Promise<void> {
  const { organizationId } = tx.scope;
  const now = context.now();
  const sealed = await context.seal(tx, accountId ?? organizationId, issued.refreshToken);
  const [due, expires] = timesOf(issued, now);
  await renewalQueries.insert(tx, {
    ...of,
    credential_id: id,
    sealed,
    issued_at: now,
    due_at: due,
    expires_at: expires,
  });
}

/** Times at which a token is renewed, and at which it ends. */
export function timesOf(
  { expiresInSeconds }: Pick<Issued, 'expiresInSeconds'>,
  now: Date,
): [due: Date | null, expires: Date | null] {
  if (expiresInSeconds === undefined) return [null, null];
  const lifeMs = Math.max(1, expiresInSeconds) * 1000;
  const end = now.getTime() + lifeMs;
  return [new Date(end - Math.min(earlierMs, lifeMs / 5)), new Date(end)];
}

/** Returns the credentials of an integration as connectors get them. */
export async function resolvedCredentials(
  tx: Reader,
  sealer: Sealer,
  ids: readonly string[],
  of: { accountId: string; domain: string },
): Promise<ResolvedIntegration['credentials']> {
  const found = await tx.credentials.byIds([...ids]);
  const seal = sealForDomain(sealer, of);
  const renewals = await renewalsOf(
    tx,
    found.filter(({ configType }) => configType === 'token').map(({ id }) => id),
  );
  const tickets = ticketsOf(sealer);
  return Object.fromEntries(
    found.map(({ id, sealed, expires }): [string, ResolvedCredential] => {
      const due = renewals.get(id);
      return [
        id,
        {
          sealed: seal(sealed),
          expires: expires?.toISOString() ?? null,
          ...(due === undefined
            ? {}
            : {
                renewal: {
                  dueAt: due?.toISOString() ?? null,
                  ticket: tickets.issue(
                    tx.scope.organizationId,
                    { credentialId: id, domain: of.domain } satisfies Ticket,
                    ticketMs,
                  ),
                },
              }),
        },
      ];
    }),
  );
}

/** Tickets are made with the key-encryption key, so that the connectors of a domain cannot make one for theirs. */
export function ticketsOf(sealer: Sealer): Cursors {
  return new Cursors(sealer.derive('credential renewals'));
}

/**
 * Seals a credential again with the key of a domain, where its connectors have no other one. A credential of an account may be used in
 * several domains, so the database has it under the key-encryption key.
 */
export function sealForDomain(
  sealer: Sealer,
  { accountId, domain: of }: { accountId: string; domain: string },
): (sealed: string) => string {
  const domain = sealer.sealingDomain(of);
  if (domain === undefined) return (sealed) => sealed;
  const key = sealer.createDataKey(domain);
  return (sealed) => sealer.seal(key, accountId, sealer.open(accountId, sealed).reveal());
}

/** Returns when each token is renewed; null for one that is renewed when it is refused. */
async function renewalsOf(tx: Reader, ids: readonly string[]): Promise<Map<string, Date | null>> {
  if (ids.length === 0) return new Map();
  const rows = await renewalQueries.listDue(tx, ids);
  return new Map(rows.map((row) => [row.credential_id, row.due_at]));
}
