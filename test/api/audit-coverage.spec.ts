import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import pg from 'pg';
import { type Operation, operations } from '#contract';
import { sampleBody } from '../bodies/sample.js';
import { type Service, startService } from './service.js';

const served = [...operations.values()].filter(
  ({ side, state }) => side === 'management' && state === 'served',
);
const nothing = 'nothing-of-this-name';

let service: Service;
let database: pg.Client;
beforeAll(async () => {
  service = await startService();
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});

const pathOf = ({ path }: Operation) =>
  path
    .replace('{organizationId}', service.administrator.organizationId)
    .replaceAll(/\{\w+\}/g, nothing);
/** Returns the records of a method and path in the audit trail. */
const codesOf = async (operation: Operation): Promise<string[]> => {
  const { rows } = await database.query<{ code: string }>(
    `select code from audit_records where method = $1 and path = $2 and audit_type <> 'ALARM' and code <> 'secret_read' order by created_at`,
    [operation.method, pathOf(operation)],
  );
  return rows.map(({ code }) => code);
};

describe('every operation of the management API', () => {
  it('leaves one record of each call, with the status of its answer, named by nobody', async () => {
    const answered = new Map<Operation, string[]>();
    for (const operation of served) {
      const secret = () => 'Sample-secret-1';
      const body = sampleBody(operation, { branch: 0, secret });
      const before = (await codesOf(operation)).length;
      const { status } = await service.call(operation.method, pathOf(operation), body);
      answered.set(operation, [...Array<string>(before).fill('…'), String(status)]);
    }
    // Records of calls that end at the gateway arrive in batches.
    await eventually(async () => {
      const wrong: unknown[] = [];
      for (const [operation, expected] of answered) {
        const codes = await codesOf(operation);
        if (codes.length !== expected.length || codes.at(-1) !== expected.at(-1))
          wrong.push([operation.id, expected, codes]);
      }
      expect(wrong).toEqual([]);
    });
    expect(answered.size).toBeGreaterThan(90);
  });

  it('leaves one when it is refused for its permission', async () => {
    const { result } = await service.call('POST', '/v1/tokens', {
      permission_set: 'token-issuer',
      resources: { organizations: { ids: ['*'] } },
    });
    const { primary } = result as unknown as { primary: { access: { secret: string } } };
    const guarded = served.filter(({ permission }) => permission && permission.key !== 'tokens');
    for (const operation of guarded) {
      const { status } = await service.call(
        operation.method,
        pathOf(operation),
        undefined,
        primary.access.secret,
      );
      expect([operation.id, status]).toEqual([operation.id, 403]);
    }
    for (const operation of guarded)
      await eventually(async () =>
        expect([operation.id, (await codesOf(operation)).includes('403')]).toEqual([
          operation.id,
          true,
        ]),
      );
  });
});
