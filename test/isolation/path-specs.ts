import { describe, expect, it } from '@jest/globals';
import { eventually, isInShare } from '#test/harness';
import { type Operation, operationOf } from '#contract';
import { each, idParameters, type Request, type Sent } from './requests.js';
import { tenants } from './tenants-of-run.js';
import { addressed, type Caller, type Kind, kinds } from './tenants.js';

/** Each caller requests one in so many of the ids of the kind that a place of a path accepts, so that four callers have all of them. */
const fittingInterval = 4;
/** The same of the ids of other kinds. */
const misfitInterval = 40;

/**
 * Builds requests with foreign ids at every place of the path, with every foreign name where it fits, and with paths that are foreign
 * as a whole. Ids of the kind that a place accepts are dealt out among the callers, and fewer of other kinds, which only an
 * operation that ignores the kind of an id would find; in a whole campaign every caller requests all of them. Callers without integrations are refused by connector operations
 * before the path is read, so they request one path of each.
 */
async function foreignRequests(operation: Operation, kind: Kind): Promise<Request[]> {
  const { foreign, names, records, tokens } = tenants.caller(kind);
  const own = tenants.ownPath(operation);
  const parameters = idParameters(operation);
  const isConnector = operation.side === 'connector';
  if (isConnector && tokens === undefined)
    return withBodies(operation, [
      { ...own, ...Object.fromEntries(parameters.map((name) => [name, records[0] ?? ''])) },
    ]);
  const whole = [tenants.theirs, tenants.mine].flatMap((world) =>
    world.accounts.map((account) => tenants.ownPath(operation, world, account)),
  );
  const ids = isConnector ? [...records, ...foreign.slice(0, 3)] : foreign;
  const paths = parameters.flatMap((parameter, place) => {
    const fitting = new Set(whole.map((path) => prefixOf(path[parameter])));
    const requested = ids.filter(
      (id, index) =>
        isConnector ||
        isInShare(
          index + place + kinds.indexOf(kind),
          fitting.has(prefixOf(id)) ? fittingInterval : misfitInterval,
        ),
    );
    const matchingNames = names.filter(([fits]) => fits === parameter).map(([, name]) => name);
    return [...requested, ...matchingNames].map((one) => ({ ...own, [parameter]: one }));
  });
  const foreignWhole = whole.filter((one) =>
    parameters.some((name) => ids.includes(one[name] ?? '')),
  );
  return withBodies(operation, [...paths, ...foreignWhole]);
}

/** The part of an id that names its kind, such as `acc`. */
function prefixOf(id = ''): string {
  return id.split('_')[0] ?? '';
}

async function withBodies(
  operation: Operation,
  paths: readonly Record<string, string>[],
): Promise<Request[]> {
  const last = idParameters(operation).at(-1) ?? '';
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return await Promise.all(
    [...distinct.values()].map(async (path) => {
      const body = await tenants.bodyFor(operation, path[last] ?? '');
      return { path, ...(body === undefined ? {} : { body }) };
    }),
  );
}

/** An integration is told that the record does not exist; other callers may be refused because of their token or permission. */
function refusalsOf({ side, public: isPublic, method }: Operation, { tokens }: Caller): number[] {
  // An empty answer, which does not tell whether the organization exists. The records must not be in it all the same.
  if (isPublic && method === 'GET') return [200];
  return side === 'connector' && tokens !== undefined ? [404] : [401, 403, 404];
}

/** Tests which records callers reach by ids and names in paths. */
export function pathSpecs(): void {
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
          !(
            operation.side === 'connector' && Object.values(tenants.ownPath(operation)).includes('')
          ),
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
    });
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

  it.each(kinds)('%s gets no foreign record from any operation', async (kind) => {
    const caller = tenants.caller(kind);
    const requests: { operation: Operation; request: Request }[] = [];
    for (const operation of addressed)
      for (const request of await foreignRequests(operation, kind))
        requests.push({ operation, request });
    const leaks: string[] = [];
    await each(requests, async ({ operation, request }) => {
      const token = tenants.tokenFor(caller, operation);
      const { status, text } = await tenants.send(operation, request, token);
      const seen = caller.canaries.some((one) => text.includes(one));
      if (!refusalsOf(operation, caller).includes(status) || seen)
        leaks.push(
          `${operation.id} of ${JSON.stringify(request.path)} returned ${status}: ${text.slice(0, 300)}`,
        );
    });
    expect({ count: leaks.length, first: leaks.slice(0, 3) }).toEqual({ count: 0, first: [] });
  });

  it('the other organization is unchanged', async () => {
    expect(await tenants.changedRows()).toEqual([]);
  });
}
