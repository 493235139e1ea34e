import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Clock } from '#config';
import { AccessTokens, type TokenOutgoing } from '#provider-http';
import { keyOf, Sealer } from '#secrets';
import { openStore } from '#store';
import { createMigratedDatabase } from '../postgres/test-database.js';

/** Tokens as a connector keeps them: in a database of their own. */
export interface StoredTokens {
  /** Makes the tokens of one replica. */
  make(outgoing: TokenOutgoing, clock: Clock): AccessTokens;
  /** Returns what is stored. */
  rows(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a database with the organizations `org_1` and `org_2`. */
export async function openStoredTokens(): Promise<StoredTokens> {
  const database = await createMigratedDatabase();
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     select 'org_' || n, 'acme' || n, 'Acme', 'root', 'tok_' || n, now(), now() from generate_series(1, 2) n`,
  );
  const store = await openStore({ url: database.url });
  const sealer = new Sealer(keyOf(randomBytes(32)));
  return {
    make: (outgoing, clock) => new AccessTokens(store, sealer, clock, outgoing),
    rows: async () =>
      JSON.stringify((await owner.query('select * from provider_tokens order by key')).rows),
    close: async () => {
      await owner.end();
      await store.close();
      await database.drop();
    },
  };
}
