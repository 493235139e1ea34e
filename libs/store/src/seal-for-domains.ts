import type { Sealer } from '#secrets';
import { dataKey, type KeyOwner } from './data-keys.js';
import type { Scope } from './scope.js';
import type { Store } from './store.js';
import type { Transaction } from './transaction.js';

const batch = 500;
const sealedText = /\bv1\.[0-9a-f]{8}\.[\w-]{40,}\.[\w-]+/g;

/** Columns with texts that connectors open from the database. Access tokens are not among them: they are fetched again. */
interface Place {
  table: string;
  columns: Readonly<Record<string, 'text' | 'jsonb'>>;
  /** The account and the domain of a row `t`. */
  owner: string;
  join?: string;
}

const ofIntegration = 'i.account_id as id, i.category as domain';
const places: readonly Place[] = [
  {
    table: 'integrations',
    columns: { provider_config: 'jsonb', webhook_config: 'jsonb' },
    owner: 't.account_id as id, t.category as domain',
  },
  {
    table: 'integration_webhooks',
    columns: { token: 'text', secret: 'text' },
    owner: ofIntegration,
    join: 'join integrations i on i.id = t.integration_id',
  },
  {
    table: 'idempotency_keys',
    columns: { request_hash: 'text', reply: 'text' },
    owner: ofIntegration,
    join: 'join integrations i on i.id = t.owner_id',
  },
  {
    table: 'webhook_removals',
    columns: { integration: 'jsonb', webhook: 'jsonb' },
    owner: `t.integration->>'accountId' as id, t.integration->>'category' as domain`,
  },
];

type Row = KeyOwner & { at: string; text: string };

/**
 * Seals what connectors read from the database with the keys of their domains, in one organization, while calls continue. A text that was
 * sealed for its domain before stays, so it may be run again.
 * @param sealer with the key-encryption key, sealing for domains @returns the number of changed values
 */
export async function sealForDomains(
  store: Store,
  scope: Scope,
  sealer: Sealer,
  now: Date,
): Promise<number> {
  let count = 0;
  for (const place of places)
    for (const [column, type] of Object.entries(place.columns))
      for (let after: string | undefined = '(0,0)'; after !== undefined;) {
        const from: string = after;
        const done = await store.write(scope, async (tx) => {
          const rows = await read(tx, place, column, from);
          let changed = 0;
          for (const row of rows)
            changed += await change(tx, { ...place, column, type }, row, { sealer, now });
          return { changed, last: rows.at(-1)?.at };
        });
        count += done.changed;
        after = done.last;
      }
  return count;
}

async function read(tx: Transaction, place: Place, column: string, after: string): Promise<Row[]> {
  return await tx.query<Row>(
    `select t.ctid as at, t.${column}::text as text, ${place.owner} from ${place.table} t ${place.join ?? ''}
     where t.organization_id = $1 and t.ctid > $2::tid and t.${column}::text ~ '\\mv1\\.[0-9a-f]{8}\\.'
     order by t.ctid limit $3`,
    [tx.scope.organizationId, after, batch],
  );
}

/** @returns 1 if the value was changed, 0 if nothing in it is to be, or another call changed it meanwhile */
async function change(
  tx: Transaction,
  { table, column, type }: { table: string; column: string; type: string },
  { at, text, ...owner }: Row,
  { sealer, now }: { sealer: Sealer; now: Date },
): Promise<number> {
  const found = [...text.matchAll(sealedText)].map(([one]) => one);
  if (!found.some((one) => isOfNoDomain(sealer, one))) return 0;
  const key = await dataKey(tx, sealer, owner, now);
  const renewed = text.replaceAll(sealedText, (one) => {
    const opened = isOfNoDomain(sealer, one) ? open(sealer, owner.id, one) : undefined;
    return opened === undefined ? one : sealer.seal(key, owner.id, opened);
  });
  const rows = await tx.query<unknown>(
    `with changed as (
       update ${table} set ${column} = $3::${type} where ctid = $1::tid and ${column}::text = $2 returning 1
     ) select 1 from changed`,
    [at, text, renewed],
  );
  return renewed === text ? 0 : rows.length;
}

function isOfNoDomain(sealer: Sealer, sealed: string): boolean {
  return sealer.canOpen(sealed) && sealer.domainOf(sealed) === undefined;
}

/** Returns undefined for a text of a customer that only looks sealed. */
function open(sealer: Sealer, owner: string, sealed: string): string | undefined {
  try {
    return sealer.open(owner, sealed).reveal();
  } catch {
    return undefined;
  }
}
