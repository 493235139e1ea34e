import {
  Integration,
  Member,
  Organization,
  Role,
  type Store,
  Token,
  wholeOrganization,
} from '#store';

/** The records of a secret. */
export interface KnownSecret {
  hash: string;
  tokenId: string;
  kind: 'access' | 'refresh';
  lastUsedAt: Date | null;
  /** Undefined if it was deleted. */
  token: Token | undefined;
  member: Member | undefined;
  integration: Integration | undefined;
  /** Roles of token and member that are not built in. */
  roles: readonly Role[];
  organization: Organization;
}

type Json = Record<string, unknown>;
interface Row {
  token_id: string;
  kind: KnownSecret['kind'];
  token: Json | null;
  member: Json | null;
  integration: Json | null;
  roles: Json[] | null;
  organization: Json;
}

// One round trip: each gateway asks once a second for each token in use.
const statement = `
  select s.token_id, s.kind, to_jsonb(t) as token, to_jsonb(m) as member, to_jsonb(i) as integration,
    to_jsonb(o) as organization,
    (select jsonb_agg(to_jsonb(r)) from roles r where r.organization_id = s.organization_id
       and r.name = any(t.role_binding || coalesce(m.role_binding, '{}'))) as roles
  from token_secrets s
    join organizations o on o.id = s.organization_id
    left join tokens t on t.id = s.token_id
    left join members m on m.id = t.member_id
    left join integrations i on i.id = t.owner_id and t.owner_type = 'integration'
  where s.hash = $1 ->> 0 and s.organization_id = $1 ->> 1`;

/** Finds the records of a secret; undefined if the organization never had it. */
export async function findSecret(
  store: Store,
  organizationId: string,
  hash: string,
): Promise<KnownSecret | undefined> {
  const scope = wholeOrganization(organizationId);
  const [row] = await store.select<Row>(scope, statement, [hash, organizationId]);
  if (row === undefined) return undefined;
  const lastUsed = row.token?.['last_used_at'];
  return {
    hash,
    tokenId: row.token_id,
    kind: row.kind,
    lastUsedAt: typeof lastUsed === 'string' ? new Date(lastUsed) : null,
    token: row.token === null ? undefined : store.entity(Token, row.token),
    member: row.member === null ? undefined : store.entity(Member, row.member),
    integration: row.integration === null ? undefined : store.entity(Integration, row.integration),
    roles: (row.roles ?? []).map((one) => store.entity(Role, one)),
    organization: store.entity(Organization, row.organization),
  };
}
