import type pg from 'pg';
import { type KeyInUse, KeyUnusable, type Sealer, type WrappedKey } from '#secrets';
import { keysInUseQuery } from './data-keys.js';

const batch = 500;
const maxPasses = 10;

/** The result of a rotation. */
export interface Rewrapped {
  dataKeys: number;
  sealedTexts: number;
}

interface Column {
  table: string;
  column: string;
  type: string;
}

/**
 * Wraps every data key with the current key-encryption key, or that of its domain, in its row and in the texts that it encrypted, while calls continue. Data
 * keys themselves do not change, so texts that are read or written meanwhile can be decrypted before and after.
 * @param client connected as the tables' owner, who sees all organizations
 */
export async function rewrap(client: pg.Client, sealer: Sealer): Promise<Rewrapped> {
  const renewed = new Map<WrappedKey, WrappedKey | undefined>();
  const renew: Renew = (old) => {
    if (!renewed.has(old)) renewed.set(old, sealer.rewrap(old));
    return renewed.get(old);
  };
  const done = { dataKeys: 0, sealedTexts: 0 };
  // A call that began earlier may write an old text again, so the last pass is one that finds none.
  for (let pass = 0; pass < maxPasses; pass += 1) {
    // First the keys: afterwards nothing is encrypted with an old one, see dataKey().
    const dataKeys = await rewrapDataKeys(client, sealer, renew);
    let sealedTexts = 0;
    for (const column of await columns(client))
      sealedTexts += await sweep(client, column, sealer.currentIds, renew);
    if (dataKeys + sealedTexts === 0) return done;
    done.dataKeys += dataKeys;
    done.sealedTexts += sealedTexts;
  }
  throw new Error(`texts under an old key kept appearing for ${maxPasses} passes; run it again`);
}

/** Returns the same data key wrapped with the current key; undefined if no key unwraps it, so that it is not a data key of this service. */
type Renew = (old: WrappedKey) => WrappedKey | undefined;

async function rewrapDataKeys(client: pg.Client, sealer: Sealer, renew: Renew): Promise<number> {
  let count = 0;
  for (const { table, id } of await oldKeys(client, sealer))
    for (;;) {
      const { rows } = await client.query<{ owner_id: string; wrapped: WrappedKey }>(
        `select owner_id, wrapped from ${table} where split_part(wrapped, '.', 1) = $1 limit $2`,
        [id, batch],
      );
      if (rows.length === 0) break;
      // Row by row, so that a call that uses one waits only briefly.
      for (const { owner_id: owner, wrapped } of rows) {
        const renewed = renew(wrapped);
        if (renewed === undefined)
          throw new KeyUnusable(
            `the data key of ${owner} does not open under the key-encryption key ${id}. Put that key back into the key file.`,
          );
        await client.query(
          `update ${table} set wrapped = $3 where owner_id = $1 and wrapped = $2`,
          [owner, wrapped, renewed],
        );
      }
      count += rows.length;
    }
  return count;
}

/** The keys that wrap data keys and are not current any more. */
async function oldKeys(
  client: pg.Client,
  sealer: Sealer,
): Promise<{ table: 'data_keys' | 'domain_data_keys'; id: string }[]> {
  const { rows } = await client.query<KeyInUse>(keysInUseQuery);
  sealer.checkKnown(rows);
  const current = new Set(sealer.currentIds);
  return rows.flatMap(({ id, domain }) =>
    current.has(id) ? [] : { id, table: domain === null ? 'data_keys' : 'domain_data_keys' },
  );
}

/** Finds every column that can contain an encrypted text, so that a new table needs no entry here. */
async function columns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select format('%I', c.relname) as table, format('%I', a.attname) as column, t.typname as type
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     join pg_type t on t.oid = a.atttypid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and t.typname in ('text', 'jsonb', 'json')
     order by 1, 2`,
  );
  return rows;
}

async function sweep(
  client: pg.Client,
  { table, column, type }: Column,
  currentIds: readonly string[],
  renew: Renew,
): Promise<number> {
  const sealed = /\bv1\.([0-9a-f]{8}\.[\w-]{40,})(?=\.)/g;
  const where = `${column}::text ~ '\\mv1\\.(?!(?:${currentIds.join('|')})\\.)[0-9a-f]{8}\\.[A-Za-z0-9_-]{40,}\\.'`;
  let count = 0;
  for (let after = '(0,0)'; ;) {
    const { rows } = await client.query<{ at: string; text: string }>(
      `select ctid as at, ${column}::text as text from ${table}
       where ctid > $1::tid and ${where} order by ctid limit $2`,
      [after, batch],
    );
    for (const { at, text } of rows) {
      const renewed = text.replaceAll(sealed, (whole, old: WrappedKey) => {
        const wrapped = renew(old);
        return wrapped === undefined ? whole : `v1.${wrapped}`;
      });
      if (renewed === text) continue;
      const { rowCount } = await client.query(
        `update ${table} set ${column} = $3::${type} where ctid = $1::tid and ${column}::text = $2`,
        [at, text, renewed],
      );
      count += rowCount ?? 0;
    }
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.at;
  }
}
