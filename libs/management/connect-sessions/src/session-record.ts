import type { ConnectScope, ManagementSchemas } from '#contract';
import type { Token } from '#store';

export type Session = ManagementSchemas['ConnectSession'];

/** The session in the record of its token: its limits, and what its page is told. */
export interface StoredSession {
  scope: ConnectScope;
  origin: string | null;
  returnUrl: string | null;
  locale: Session['locale'];
  endUser: Session['end_user'];
}

/** Returns the session of a token; undefined for other tokens. */
export function sessionOf({ connectSession }: Token): StoredSession | undefined {
  return (connectSession as StoredSession | null) ?? undefined;
}

function modeOf({ integrationId, manages }: ConnectScope): Session['mode'] {
  if (manages) return 'manage';
  return integrationId === undefined ? 'create' : 'reconnect';
}

export function sessionView(token: Token, stored: StoredSession): Session {
  const { scope, origin, returnUrl, locale, endUser } = stored;
  return {
    id: token.id,
    account_id: token.accountId ?? '',
    integration_point_id: scope.integrationPointId,
    ...(scope.integrationId === undefined ? {} : { integration_id: scope.integrationId }),
    mode: modeOf(scope),
    connector: scope.connector as Session['connector'],
    providers: [...scope.providers],
    ...(origin === null ? {} : { origin }),
    ...(returnUrl === null ? {} : { return_url: returnUrl }),
    ...(locale ? { locale } : {}),
    ...(endUser ? { end_user: endUser } : {}),
    expires_at: token.expires.toISOString(),
  };
}
