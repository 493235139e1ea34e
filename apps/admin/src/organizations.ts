import pg from 'pg';
import { StartError } from '#observe';

export interface OrganizationName {
  id: string;
  name: string;
}

/** Lists all organizations, oldest first, as the owner of the tables, because services can only see one at a time. */
export async function organizations(databaseUrl: string): Promise<OrganizationName[]> {
  return await asOwner(databaseUrl, async (client) => {
    const { rows } = await client.query<OrganizationName>(
      'select id, name from organizations order by created_at, id',
    );
    return rows;
  });
}

/** Enables or disables an organization, whose tokens then get 402 immediately. @throws StartError if it does not exist */
export async function setOrganizationState(
  databaseUrl: string,
  idOrName: string,
  state: 'enabled' | 'disabled',
): Promise<OrganizationName> {
  return await asOwner(databaseUrl, async (client) => {
    await client.query('begin');
    const { rows } = await client.query<OrganizationName>(
      'update organizations set state = $2, updated_at = now() where id = $1 or name = $1 returning id, name',
      [idOrName, state === 'enabled' ? null : state],
    );
    const [changed] = rows;
    if (changed === undefined) throw new StartError(`There is no organization "${idOrName}".`);
    await client.query('select onefold_audit($1, $2)', [
      changed.id,
      JSON.stringify([
        {
          request_id: '',
          remote_addr: '',
          user_agent: 'command line',
          method: 'PATCH',
          path: '/v1/organization',
          audit_type: 'ALARM',
          code: `organization_${state}`,
          status: 'succeeded',
        },
      ]),
    ]);
    await client.query('commit');
    return changed;
  });
}

/** Runs work as the owner of the tables, who can see all organizations. */
export async function asOwner<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
