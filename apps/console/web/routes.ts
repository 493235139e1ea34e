import type { ComponentType } from 'preact';
import { AccountsScreen } from './screens/accounts.js';
import { IntegrationScreen } from './screens/integration.js';
import { IntegrationsScreen } from './screens/integrations.js';
import { OverviewScreen } from './screens/overview.js';
import { TokensScreen } from './screens/tokens.js';

/** Parameters of the path by name. */
export type Parameters = Record<string, string>;

export interface Route {
  /** `/integrations/:accountId/:integrationId` */
  path: string;
  title: string;
  screen: ComponentType<Parameters>;
  /** Whether the menu has an entry for it. */
  isInMenu?: true;
}

export const routes: readonly Route[] = [
  { path: '/', title: 'Overview', screen: OverviewScreen, isInMenu: true },
  { path: '/integrations', title: 'Integrations', screen: IntegrationsScreen, isInMenu: true },
  {
    path: '/integrations/:accountId/:integrationId',
    title: 'Integration',
    screen: IntegrationScreen as ComponentType<Parameters>,
  },
  { path: '/accounts', title: 'Accounts', screen: AccountsScreen, isInMenu: true },
  { path: '/tokens', title: 'Tokens', screen: TokensScreen, isInMenu: true },
];

/** Finds the screen of a path and the values of its parameters. */
export function routeOf(path: string): { route: Route; parameters: Parameters } | undefined {
  const parts = path.replace(/\/+$/, '').split('/');
  for (const route of routes) {
    const wanted = route.path.replace(/\/+$/, '').split('/');
    if (wanted.length !== parts.length) continue;
    const parameters: Parameters = {};
    const isMatch = wanted.every((one, index) => {
      const part = parts[index] ?? '';
      if (!one.startsWith(':')) return one === part;
      parameters[one.slice(1)] = part;
      return part !== '';
    });
    if (isMatch) return { route, parameters };
  }
  return undefined;
}
