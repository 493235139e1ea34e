import type { Fields } from '#query';

/** What lists of all tenants' records filter and order by. */
export const tenantFields: Fields = {
  id: { type: 'string' },
  name: { type: 'string' },
  fullname: { type: 'string' },
  created_at: { type: 'datetime' },
  updated_at: { type: 'datetime' },
};

/** SQL for the category of the integration that a record is about; that of a deleted one passes no limit. */
export const categoryOfIntegration =
  "coalesce((select i.category from integrations i where i.id = r.integration_id), '')";
