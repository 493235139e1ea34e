import type { Fields } from '#query';

/** Filter by the mappings that the chains of a record name, as they name them: by name or by id. */
export const chainFields: Fields = { mappings: { type: 'list', orders: false } };
export const chainOverlaps = {
  mappings: (names: string) =>
    `exists (select 1 from unnest(${names}::text[]) named
       where r.mappings @> jsonb_build_array(jsonb_build_object('mappings', jsonb_build_array(named))))`,
};

/** The fields that lists of every kind can filter and order by. */
export const tenantFields: Fields = {
  id: { type: 'string' },
  name: { type: 'string' },
  fullname: { type: 'string' },
  created_at: { type: 'datetime' },
  updated_at: { type: 'datetime' },
};

/** Fields of the account that a record belongs to, which lists can filter by as well. */
export const accountFields: Fields = {
  'account.environment': { type: 'enum', values: ['test', 'prod'], orders: false },
};

/** SQL for the domain of the integration that a record is about; a deleted integration has none, so it passes no limit by domain. */
export const categoryOfIntegration =
  "coalesce((select i.category from integrations i where i.id = r.integration_id), '')";
