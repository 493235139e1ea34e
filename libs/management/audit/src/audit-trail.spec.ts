import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiError, type Call } from '#contract';
import { connectDatabase, Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { AuditTrail } from './index.js';

const scope = wholeOrganization('org_a');
const call = (requestId: string, operation = 'accounts_create') =>
  ({
    operation,
    caller: { organizationId: 'org_a', memberId: 'mbr_1' },
    path: {},
    body: { name: 'x' },
    requestId,
    remoteAddress: '192.0.2.1',
    userAgent: 'spec',
  }) as unknown as Call;

let database: TestDatabase;
let store: Store;
let trail: AuditTrail;
beforeAll(async () => {
  database = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: database.url }));
  await store.write(scope, (tx) =>
    tx.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ('org_a', 'a', 'A', 'root', 'tok', now(), now())`,
    ),
  );
  trail = new AuditTrail(store);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const recorded = async (requestId: string) =>
  await store.select<{ code: string; status: string; audit_type: string }>(
    scope,
    'select code, status, audit_type, response, body, account_id from audit_records where request_id = $1 ->> 0 order by created_at',
    [requestId],
  );

describe('AuditTrail', () => {
  it('has one record for a call with several transactions, with the status of the call', async () => {
    const refused = trail.runCall(call('several'), async () => {
      await store.write(scope, async () => undefined);
      expect(await recorded('several')).toMatchObject([{ code: '200' }]);
      await store.write(scope, async () => undefined);
      throw new ApiError(401, 'the password is wrong');
    });
    await expect(refused).rejects.toThrow('the password is wrong');
    expect(await recorded('several')).toMatchObject([
      { code: '401', status: 'refused', response: 'the password is wrong' },
    ]);
  });

  it('records a change in the transaction that makes it', async () => {
    const undone = trail.runCall(call('undone'), () =>
      store.write(scope, async (tx) => {
        await tx.query('select 1 / 0');
      }),
    );
    await expect(undone).rejects.toThrow();
    expect(await recorded('undone')).toMatchObject([
      { code: '500', response: 'the service failed' },
    ]);
    await trail.runCall(call('looks-first'), async () => {
      await store.read(scope, async () => undefined);
      expect(await recorded('looks-first')).toEqual([]);
      await store.write(scope, async () => undefined);
      expect(await recorded('looks-first')).toHaveLength(1);
    });
  });

  it('records the events of a failed call before the call', async () => {
    const refused = trail.runCall(call('event'), async () => {
      trail.recordEvent('logon_failed', { message: 'wrong password', data: { attempts: 3 } });
      throw new ApiError(401, 'no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await recorded('event')).toMatchObject([
      { code: 'logon_failed', audit_type: 'ALARM', body: { attempts: 3 } },
      { code: '401' },
    ]);
    expect(() => trail.recordEvent('logon_failed', {})).toThrow('outside of a call');
  });

  it('cannot be changed or deleted by the services, and a record can be corrected for a short time only', async () => {
    await trail.runCall(call('fixed'), () => store.write(scope, async () => undefined));
    for (const statement of [
      `update audit_records set code = '1'`,
      'delete from audit_records',
      'truncate audit_records',
      'drop table audit_records',
    ])
      await expect(store.write(scope, (tx) => tx.query(statement))).rejects.toThrow(
        /permission denied|must be owner/,
      );
    await store.write(scope, (tx) =>
      tx.query(
        `select onefold_audit_ended('org_a', created_at, '{"request_id": "other", "code": "1"}') from audit_records`,
      ),
    );
    expect(await recorded('fixed')).toMatchObject([{ code: '200' }]);
  });

  it('gives concurrent records of an organization different times', async () => {
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        trail.runCall(call(`many-${index}`, 'accounts_list'), async () => undefined),
      ),
    );
    const rows = await store.select<{ rows: number; times: number }>(
      scope,
      `select count(*)::int as rows, count(distinct created_at)::int as times from audit_records where request_id like 'many-%'`,
      [],
    );
    expect(rows).toEqual([{ rows: 200, times: 200 }]);
  });

  it('records reads that run together before each of them ends, with fewer transactions than reads', async () => {
    const statements = jest.spyOn(store, 'writeStatement');
    const found = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const id = `shared-${index}`;
        const refused = index % 10 === 3;
        const read = trail.runCall(call(id, 'accounts_list'), () =>
          store.read(scope, async (tx) => {
            await tx.query('select 1');
            if (refused) throw new ApiError(404, 'not found');
          }),
        );
        await (refused ? expect(read).rejects.toThrow('not found') : read);
        return (await recorded(id)).map(({ code }) => code);
      }),
    );
    expect(found).toEqual(found.map((_, index) => [index % 10 === 3 ? '404' : '200']));
    expect(statements.mock.calls.length).toBeGreaterThan(0);
    expect(statements.mock.calls.length).toBeLessThan(20);
    statements.mockRestore();
  });

  it('records a read that runs alone with its lookup', async () => {
    const statements = jest.spyOn(store, 'writeStatement');
    await trail.runCall(call('alone', 'accounts_list'), async () => {
      await store.read(scope, (tx) => tx.query('select 1'));
      expect(await recorded('alone')).toMatchObject([{ code: '200' }]);
    });
    expect(statements).not.toHaveBeenCalled();
    statements.mockRestore();
  });

  it('fails a read whose record cannot be stored, also beside others', async () => {
    const unrecordable = (id: string) =>
      ({ ...call(id, 'accounts_list'), userAgent: undefined }) as unknown as Call;
    const read = (one: Call) =>
      trail.runCall(one, () => store.read(scope, (tx) => tx.query('select 1')));
    const results = await Promise.allSettled([
      ...['beside-1', 'beside-2'].map((id) => read(call(id, 'accounts_list'))),
      read(unrecordable('beside-3')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await recorded('beside-1')).toHaveLength(1);
    expect(await recorded('beside-3')).toEqual([]);
    await expect(read(unrecordable('beside-4'))).rejects.toThrow();
  });

  it('stores texts without the characters that PostgreSQL refuses', async () => {
    const odd = { ...call('odd'), operation: 'accounts_patch' } as Call;
    const texts = [
      'nul \u0000',
      'half \ud83d',
      'half \udc00',
      'whole \ud83d\ude00',
      '\\u0000',
      '\\\u0000',
    ];
    const body = [{ op: 'add', path: '/labels', value: [...texts, { 'key \u0000 \ud800': 1 }] }];
    await trail.runCall({ ...odd, body }, async () => {
      trail.recordEvent('logon_failed', {
        message: 'nul \u0000',
        data: { 'half \udfff': '\u0000' },
      });
    });
    const [event, record] = await recorded('odd');
    expect(event).toMatchObject({ response: 'nul \ufffd', body: { 'half \ufffd': '\ufffd' } });
    expect(record).toMatchObject({
      body: [
        {
          value: [
            'nul \ufffd',
            'half \ufffd',
            'half \ufffd',
            'whole \ud83d\ude00',
            '\\u0000',
            '\\\ufffd',
            { 'key \ufffd \ufffd': 1 },
          ],
        },
      ],
    });
  });

  it('adds nothing for an organization that does not exist', async () => {
    const unknownCall = { ...call('nobody'), caller: { organizationId: 'org_none', memberId: '' } };
    await trail.runCall(unknownCall as unknown as Call, async () => undefined);
    const rows = await store.select(
      wholeOrganization('org_none'),
      'select * from audit_records',
      [],
    );
    expect(rows).toEqual([]);
  });
});
