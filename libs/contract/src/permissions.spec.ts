import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Operation,
  type Caller,
  type CallerPermission,
  decide,
  isWithin,
  operations,
  permissionSets,
  reaches,
} from './index.js';

const names = Object.keys(permissionSets) as (keyof typeof permissionSets)[];
const ids = fc.subarray(['*', 'acc_1', 'acc_2'], { minLength: 1 });
const limit = fc.record(
  {
    ids,
    labels: fc.subarray(['emea', 'us'], { minLength: 1 }),
    environments: fc.subarray(['test', 'prod'], { minLength: 1 }),
  },
  { requiredKeys: ['ids'] },
);
const permission: fc.Arbitrary<CallerPermission> = fc.record(
  {
    permissionSet: fc.constantFrom(...names),
    accounts: limit,
    categories: fc.subarray(['*', 'ticketing', 'siem'], { minLength: 1 }),
  },
  { requiredKeys: ['permissionSet'] },
);
const callerWith = (...permissions: CallerPermission[]): Caller => ({
  tokenId: 't',
  scope: 'organization',
  organizationId: 'o',
  memberId: 'm',
  permissions,
});
const accounts = ['acc_1', 'acc_2', 'acc_3'].flatMap((id) =>
  [[], ['emea'], ['us'], ['emea', 'us']].flatMap((labels) =>
    ['test', 'prod'].map((environment) => ({ id, labels, environment })),
  ),
);

describe('permissions', () => {
  it('let an administrator do everything and a viewer only read', () => {
    const viewer = callerWith({ permissionSet: 'viewer' });
    for (const operation of operations.values()) {
      const isManagement = operation.side === 'management' || operation.public;
      const administrator = callerWith({ permissionSet: 'administrator' });
      expect([operation.id, decide(administrator, operation).allowed]).toEqual([
        operation.id,
        isManagement,
      ]);
      if (operation.permission && operation.method !== 'GET')
        expect([operation.id, decide(viewer, operation).allowed]).toEqual([operation.id, false]);
    }
  });

  it('limit a caller to accounts with a label, without access to the organization', () => {
    const operator = callerWith({
      permissionSet: 'administrator',
      accounts: { ids: ['*'], labels: ['emea'] },
    });
    const list = operations.get('accounts_list')!;
    const decision = decide(operator, list);
    expect(decision).toEqual({ allowed: true, accounts: [{ ids: ['*'], labels: ['emea'] }] });
    expect(decide(operator, operations.get('organization_update')!)).toEqual({ allowed: false });
    expect(decide(operator, operations.get('roles_create')!)).toEqual({ allowed: false });
  });

  it('never give a token within another token access that the other does not have', () => {
    fc.assert(
      fc.property(
        permission,
        fc.array(permission, { minLength: 1, maxLength: 3 }),
        (inner, outer) => {
          fc.pre(isWithin(inner, outer));
          for (const operation of operations.values()) {
            const small = decide(callerWith(inner), operation);
            const large = decide(callerWith(...outer), operation);
            if (!small.allowed) continue;
            if (operation.permission === null) continue;
            expect([operation.id, large.allowed]).toEqual([operation.id, true]);
            if (!large.allowed) continue;
            for (const account of accounts)
              for (const category of [undefined, 'ticketing', 'siem', 'chat'])
                if (reaches(small.accounts, account, category))
                  expect(reaches(large.accounts, account, category)).toBe(true);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('stay within each other along a chain of tokens', () => {
    const many = fc.array(permission, { minLength: 15, maxLength: 15 });
    fc.assert(
      fc.property(many, (permissions) => {
        const inside = new Map(
          permissions.map((one) => [one, permissions.filter((inner) => isWithin(inner, [one]))]),
        );
        for (const [outer, seconds] of inside)
          for (const second of seconds)
            for (const third of inside.get(second) ?? [])
              expect(isWithin(third, [outer])).toBe(true);
      }),
    );
  });

  it('allow a session that must change its password nothing else, but to ask about itself', () => {
    const caller: Caller = {
      ...callerWith({ permissionSet: 'administrator' }),
      session: 'password',
    };
    const allowed = [...operations.values()].filter(
      (operation) => !operation.public && decide(caller, operation).allowed,
    );
    expect(allowed.map(({ id }) => id).sort()).toEqual([
      'auth_change_password',
      'auth_logoff',
      'tokens_get_self',
    ]);
  });

  it('allow a refresh secret to renew its token of any scope, and nothing else', () => {
    for (const scope of ['organization', 'integration'] as const) {
      const caller: Caller = {
        ...callerWith({ permissionSet: 'administrator' }),
        scope,
        refreshOnly: true,
      };
      const allowed = [...operations.values()].filter(
        (operation) => !operation.public && decide(caller, operation).allowed,
      );
      expect(allowed.map(({ id }) => id).sort()).toEqual(['tokens_refresh', 'tokens_reset']);
    }
  });

  it('allow tokens of both APIs to ask about themselves, and none of the MCP endpoint', () => {
    const operation = operations.get('tokens_get_self') as Operation;
    const allowed = (scope: Caller['scope']) =>
      decide({ ...callerWith(), permissions: [], scope }, operation).allowed;
    expect([allowed('organization'), allowed('integration'), allowed('mcp')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('refuse every operation of the other API by the scope of the token', () => {
    for (const operation of operations.values()) {
      if (operation.public || operation.anyToken) continue;
      const wrong = operation.side === 'management' ? 'integration' : 'organization';
      const caller: Caller = { ...callerWith({ permissionSet: 'administrator' }), scope: wrong };
      expect([operation.id, decide(caller, operation).allowed]).toEqual([operation.id, false]);
    }
  });

  it('are within themselves', () => {
    fc.assert(fc.property(permission, (one) => expect(isWithin(one, [one])).toBe(true)));
  });
});
