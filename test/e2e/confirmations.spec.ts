import { beforeAll } from '@jest/globals';
import { confirmationsWalk } from './confirmations-walk.js';
import { type Onefold, sharedOnefold } from './onefold.js';

let onefold: Pick<Onefold, 'api'>;
beforeAll(async () => {
  onefold = await sharedOnefold();
}, 300_000);

// test/e2e/distributed.spec.ts runs it over NATS.
confirmationsWalk(() => onefold);
