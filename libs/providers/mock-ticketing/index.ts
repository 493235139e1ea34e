import type { Provider } from '#connect';
import type { Manifest } from '#provider-document';
import type { Store } from '#store';
import { manifest } from './manifest.js';

/** The ticketing mock, whose code and dataset are loaded at their first use. @param store storage of its records */
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
