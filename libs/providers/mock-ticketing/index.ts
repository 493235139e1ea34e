import type { Provider } from '#connect';
import type { Store } from '#store';
import { manifest } from './manifest.js';

/** The mock, whose code and dataset are read when it is first used. */
export const mockTicketing = {
  manifest,
  load: async (store: Store): Promise<Provider> =>
    (await import('./mock-ticketing.js')).mockTicketing(store),
};
