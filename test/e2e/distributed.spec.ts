import { mockWalk } from './mock-walk.js';
import { startDistributed } from './onefold.js';
import { wholeService } from './whole-service.js';

// With these NATS permissions everything works; test/attack/bus/permissions.spec.ts shows what they refuse.
// In one process test/api/mocks.spec.ts runs the walks of the mocks.
wholeService('distributed', () => startDistributed({}, { asUsers: true }), { mocks: mockWalk });
