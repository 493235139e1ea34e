import { afterAll, beforeAll } from '@jest/globals';
import { Tenants } from './tenants.js';

/** The tenants of the running spec file; they are there once its tests run. */
export let tenants: Tenants;

/** Starts the service and makes the tenants before the tests. Both take a core for many seconds, so all suites of isolation share them. */
export function useTenants(): void {
  beforeAll(async () => {
    tenants = await Tenants.start();
  });
  afterAll(() => tenants.stop());
}
