import { startDistributed } from './onefold.js';
import { wholeService } from './whole-service.js';

// With these NATS permissions everything works; test/attack/bus/permissions.spec.ts shows what they refuse.
wholeService('distributed', () => startDistributed({}, { asUsers: true }));
