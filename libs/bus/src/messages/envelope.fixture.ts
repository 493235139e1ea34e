import type { OperationId } from '#contract';
import type { Envelope } from '../bus.js';

/** A request with the token of an integration. */
export function envelopeOf(operation: OperationId, more: Partial<Envelope> = {}): Envelope {
  return {
    operation,
    caller: {
      tokenId: 'tok_1',
      scope: 'integration',
      organizationId: 'org_1',
      memberId: 'mbr_1',
      integrationId: 'int_1',
      permissions: [],
    },
    path: {},
    query: {},
    meta: [],
    requestId: 'r1',
    deadline: Date.now() + 20_000,
    remoteAddress: '127.0.0.1',
    userAgent: 'spec',
    ...more,
  };
}
