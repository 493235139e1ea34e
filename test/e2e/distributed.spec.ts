import { bothClientsWalk } from './both-clients-walk.js';
import { confirmationsWalk } from './confirmations-walk.js';
import { mcpWalk } from './mcp-walk.js';
import { mockWalk } from './mock-walk.js';
import { startDistributed } from './onefold.js';
import { wholeService } from './whole-service.js';

// Everything works with these NATS permissions; test/attack/bus/permissions.spec.ts tests their refusals.
// In one process test/api/mocks.spec.ts runs the walks of the mocks.
wholeService('distributed', () => startDistributed({}, { asUsers: true }), {
  mocks: mockWalk,
  assistants: mcpWalk,
  'both clients': bothClientsWalk,
  confirmations: confirmationsWalk,
});
