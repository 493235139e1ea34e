import { afterAll, beforeAll } from '@jest/globals';
import { createIds } from '#config';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import type { DataSource } from 'typeorm';
import {
  type Account,
  connectDatabase,
  type Integration,
  kinds,
  listQuery,
  organizationIds,
  type Reader,
  type Scope,
  Store,
  wholeOrganization,
} from './index.js';

const ids = createIds();
const now = new Date('2026-01-01T00:00:00Z');

/** A store over a database of its own. */
export class TestStore {
  testDatabase!: TestDatabase;
  database!: DataSource;
  store!: Store;

  async open(): Promise<void> {
    this.testDatabase = await createMigratedDatabase();
    this.database = await connectDatabase({ url: this.testDatabase.url });
    this.store = new Store(this.database);
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.testDatabase.drop();
  }

  /** Creates an organization. @returns its id */
  async organization(): Promise<string> {
    const id = ids.next(organizationIds);
    await this.store.write(wholeOrganization(id), (tx) =>
      tx.query(
        `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
         values ($1, $1, $1, 'root', 'tok', $2, $2)`,
        [id, now],
      ),
    );
    return id;
  }

  async insert(scope: Scope, ...accounts: Account[]): Promise<void> {
    await this.store.write(scope, async (tx) => {
      for (const one of accounts) await tx.accounts.insert(one);
    });
  }
}

/** Opens a store for the tests of a file. */
export function useTestStore(): TestStore {
  const open = new TestStore();
  beforeAll(() => open.open());
  afterAll(() => open.close());
  return open;
}

export const account = (
  organizationId: string,
  name: string,
  more: Partial<Account> = {},
): Account => ({
  id: ids.next(kinds.accounts),
  organizationId,
  name,
  fullname: name,
  environment: 'prod',
  labels: [],
  createdAt: now,
  updatedAt: now,
  ...more,
});

export const integration = (scope: Scope, accountId: string, name: string): Integration => ({
  ...account(scope.organizationId, name),
  id: ids.next(kinds.integrations),
  accountId,
  category: 'ticketing',
  providerType: 'ticketing_mock_ticketing',
  providerFullname: 'Mock Ticketing',
  providerConfig: {},
  integrationPointId: null,
  refreshTokenId: ids.next(kinds.tokens),
  bridgeSelector: null,
  webhookConfig: null,
  mappings: null,
  additionalMappings: null,
  scheduledOperations: null,
  confirmDangerousActions: false,
  recording: null,
});

export const list = (parameters: Parameters<typeof listQuery>[0]) => (tx: Reader) =>
  tx.accounts.list(listQuery(parameters, kinds.accounts.fields));
