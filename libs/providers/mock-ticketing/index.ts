import type { Provider } from '#connect';
import type { Manifest } from '#provider-document';
import type { Store } from '#store';
import { manifest } from './manifest.js';

/** The mock, whose code and dataset are read when it is first used. @param store where it keeps its records */
export function mockTicketing(store: Store): {
  folder: string;
  manifests: readonly Manifest[];
  load: () => Promise<Provider[]>;
} {
  return {
    folder: 'mock-ticketing',
    manifests: [manifest],
    load: async () => [(await import('./mock-ticketing.js')).mockTicketing(store)],
  };
}
