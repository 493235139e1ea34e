import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Operation, operationOf } from '#contract';
import { mockByDomain } from '../walks/mock-walks.js';
import { each, idParameters, type Request, type Sent } from './requests.js';
import { addressed, type Caller, kinds, eventually, Tenants } from './tenants.js';

let tenants: Tenants;
beforeAll(async () => {
  tenants = await Tenants.start();
}, 120_000);
afterAll(() => tenants.stop());

describe('the world', () => {
  it('contains an id for every parameter of a management path', () => {
    const missing = addressed
      .filter(({ side }) => side === 'management')
      .flatMap((operation) =>
        Object.entries(tenants.ownPath(operation))
          .filter(([, id]) => id === '')
          .map(
            ([name]) => `${operation.id}: add a record for {${name}} to test/isolation/world.ts`,
          ),
      );
    expect(missing).toEqual([]);
  });

  it('returns own records from every operation', async () => {
    const refused: string[] = [];
    const reading = addressed.filter(
      (operation) =>
        operation.method === 'GET' &&
        !(operation.side === 'connector' && Object.values(tenants.ownPath(operation)).includes('')),
    );
    await each(reading, async (operation) => {
      let sent: Sent | undefined;
      await eventually(async () => {
        sent = await tenants.ownAnswer(operation);
        expect(sent.status).toBe(200);
      }).catch(() =>
        refused.push(`${operation.id} returned ${sent?.status}: ${sent?.text.slice(0, 300)}`),
      );
    });
    expect(refused).toEqual([]);
  }, 120_000);
});

describe.each(kinds.filter((kind) => / by |of one account|with an account/.test(kind)))(
  '%s',
  (kind) => {
    it('reads its own account and integration', async () => {
      const { token } = tenants.caller(kind);
      for (const id of ['accounts_get', 'integrations_get'] as const) {
        const operation = operationOf(id);
        const { status } = await tenants.send(
          operation,
          { path: tenants.ownPath(operation) },
          token,
        );
        expect([id, status]).toEqual([id, 200]);
      }
    });
  },
);

/**
 * Builds requests with every foreign id at every place of the path, with every foreign name where it fits, and with paths that are
 * foreign as a whole.
 */
async function foreignRequests(
  operation: Operation,
  { foreign, names, records }: Caller,
): Promise<Request[]> {
  const path = tenants.ownPath(operation);
  const parameters = idParameters(operation);
  const ids = operation.side === 'management' ? foreign : [...records, ...foreign.slice(0, 3)];
  const paths = parameters.flatMap((parameter) => {
    const matchingNames = names.filter(([fits]) => fits === parameter).map(([, name]) => name);
    return [...ids, ...matchingNames].map((one) => ({ ...path, [parameter]: one }));
  });
  const worlds = [tenants.theirs, tenants.mine].flatMap((world) =>
    world.accounts.map((account) => tenants.ownPath(operation, world, account)),
  );
  const whole = worlds.filter((one) => parameters.some((name) => ids.includes(one[name] ?? '')));
  const distinct = new Map([...paths, ...whole].map((one) => [JSON.stringify(one), one]));
  return await Promise.all(
    [...distinct.values()].map(async (one) => {
      const body = await tenants.bodyFor(operation, one[parameters.at(-1) ?? ''] ?? '');
      return { path: one, ...(body === undefined ? {} : { body }) };
    }),
  );
}

/** Vendors refuse unknown ids in ways of their own, and some ignore them in writes: that other rows are unchanged is tested below. */
function isRefusal({ side, group, method }: Operation, status: number): boolean {
  if (side === 'connector' && mockByDomain.has(group)) return method !== 'GET' || status >= 400;
  return [401, 403, 404].includes(status);
}

it.each(kinds)(
  '%s gets no foreign record from any operation',
  async (kind) => {
    const caller = tenants.caller(kind);
    const requests: { operation: Operation; request: Request }[] = [];
    for (const operation of addressed)
      for (const request of await foreignRequests(operation, caller))
        requests.push({ operation, request });
    const leaks: string[] = [];
    await each(requests, async ({ operation, request }) => {
      const token = tenants.tokenFor(caller, operation);
      const { status, text } = await tenants.send(operation, request, token);
      const seen = caller.canaries.some((one) => text.includes(one));
      if (!isRefusal(operation, status) || seen)
        leaks.push(
          `${operation.id} of ${JSON.stringify(request.path)} returned ${status}: ${text.slice(0, 300)}`,
        );
    });
    expect({ count: leaks.length, first: leaks.slice(0, 3) }).toEqual({ count: 0, first: [] });
  },
  120_000,
);

it('the other organization is unchanged', async () => {
  expect(await tenants.changedRows()).toEqual([]);
});
