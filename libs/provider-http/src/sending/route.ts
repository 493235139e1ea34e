import type { ProviderRequest } from '../provider-request.js';
import type { Dispatcher } from 'undici';
import type { EgressPolicy } from '#egress';

/** A way to providers that is not the direct one. Its own policy says which addresses may be called. */
export interface Route {
  /** Identifies the network that addresses mean: hosts of the same name in two networks have nothing in common. */
  key: string;
  dispatcher: Dispatcher;
  policy: Pick<EgressPolicy, 'checkUrl'>;
}

/** Identifies a host in the network that the route leads to. */
export function hostKey({ url }: Pick<ProviderRequest, 'url'>, route: Route | undefined): string {
  return route === undefined ? url.origin : `${url.origin} ${route.key}`;
}
