import pg from 'pg';

export interface OrganizationName {
  id: string;
  name: string;
}

/** Every organization, oldest first. Asked as the tables' owner: the services themselves see one at a time. */
export async function organizations(databaseUrl: string): Promise<OrganizationName[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<OrganizationName>(
      'select id, name from organizations order by created_at, id',
    );
    return rows;
  } finally {
    await client.end();
  }
}
