import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cancellation, type Envelope, subjectOf } from '#bus';
import {
  type Caller,
  decide,
  type Operation,
  operations,
  permissionSets,
  type Problem,
} from '#contract';
import { sampleBody } from '../bodies/sample.js';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const guarded = [...operations.values()].filter(
  ({ state, side, public: open }) => state === 'served' && side === 'management' && !open,
);
const addressOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, 'sample');

describe.each(Object.keys(permissionSets) as (keyof typeof permissionSets)[])(
  'a token with the permission set %s',
  (permission_set) => {
    it('may call what the set permits by the contract, and is refused everything else', async () => {
      const resources = { organizations: { ids: ['*'] } };
      const made = await service.call('POST', '/v1/tokens', { permission_set, resources });
      const { primary } = made.result as unknown as { primary: { access: { secret: string } } };
      const caller = {
        scope: 'organization',
        permissions: [{ permissionSet: permission_set }],
      } as unknown as Caller;
      const wrong: unknown[] = [];
      for (const operation of guarded) {
        const { allowed } = decide(caller, operation);
        const { status, message } = await service.call(
          operation.method,
          addressOf(operation),
          // A permitted call changes nothing, because the body is of the wrong type.
          operation.request === 'none' ? undefined : 'nonsense',
          primary.access.secret,
        );
        const refused = status === 403 && message.includes(`does not permit ${operation.id}`);
        if (refused === allowed) wrong.push([operation.id, { allowed }, status, message]);
      }
      expect(wrong).toEqual([]);
    });
  },
);

it('is checked again by the services, so that a message on the bus cannot bypass the gateway', async () => {
  const { organizationId, memberId, tokenId } = service.administrator;
  const caller: Caller = {
    tokenId,
    organizationId,
    memberId,
    scope: 'organization',
    permissions: [],
  };
  const answered: unknown[] = [];
  for (const operation of guarded) {
    if (operation.permission === null || operation.group === 'meta') continue;
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const envelope: Envelope = {
      operation: operation.id,
      caller,
      path: Object.fromEntries(names.map((name) => [name, 'sample'])),
      query: {},
      meta: [],
      requestId: 'r',
      deadline: Date.now() + 10_000,
      remoteAddress: '127.0.0.1',
      userAgent: 'spec',
    };
    const body = Buffer.from(JSON.stringify(sampleBody(operation) ?? ''));
    const reply = await service.bus.request(
      subjectOf(operation, undefined),
      envelope,
      body,
      new Cancellation(),
    );
    const text = Buffer.from(reply.body as Uint8Array).toString();
    const { message } = (text === '' ? {} : JSON.parse(text)) as Partial<Problem>;
    if (reply.status !== 403) answered.push([operation.id, reply.status, message]);
  }
  expect(answered).toEqual([]);
});
