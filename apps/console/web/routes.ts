import {
  ArrowRightLeft,
  Blocks,
  Building,
  CalendarClock,
  Compass,
  FileClock,
  KeyRound,
  LayoutDashboard,
  LogIn,
  Network,
  PencilRuler,
  Plug,
  Puzzle,
  Receipt,
  ScrollText,
  Settings,
  Users,
  Waypoints,
  Webhook,
} from 'lucide';
import type { Parameters, Route } from './route.js';

export const routes: readonly Route[] = [
  {
    path: '/',
    title: 'Overview',
    load: async () => (await import('./screens/overview.js')).OverviewScreen,
    menu: '',
    icon: LayoutDashboard,
    help: 'console.html#first-steps',
  },
  {
    path: '/integrations',
    title: 'Integrations',
    load: async () => (await import('./screens/integrations.js')).IntegrationsScreen,
    menu: 'Connect',
    icon: Plug,
    needs: 'status_list',
    help: 'console.html#integrations',
  },
  {
    path: '/integrations/new',
    title: 'Connect a system',
    load: async () => (await import('./screens/connect/connect.js')).ConnectScreen,
    help: 'console.html#connect-a-system',
  },
  {
    path: '/integrations/:accountId/:integrationId',
    title: 'Integration',
    load: async () => (await import('./screens/integration/integration.js')).IntegrationScreen,
    help: 'console.html#change-an-integration',
  },
  {
    path: '/accounts',
    title: 'Accounts',
    load: async () => (await import('./screens/accounts.js')).AccountsScreen,
    menu: 'Connect',
    icon: Building,
    needs: 'accounts_list',
    help: 'console.html#accounts',
  },
  {
    path: '/accounts/:accountId',
    title: 'Account',
    load: async () => (await import('./screens/account/account.js')).AccountScreen,
    help: 'console.html#accounts',
  },
  {
    path: '/points',
    title: 'Integration points',
    load: async () => (await import('./screens/points/points.js')).PointsScreen,
    menu: 'Connect',
    icon: Waypoints,
    needs: 'integrationPoints_list',
    help: 'console.html#integration-points-single-sign-on-and-billing',
  },
  {
    path: '/points/:pointId',
    title: 'Integration point',
    load: async () => (await import('./screens/points/point.js')).PointScreen,
    help: 'console.html#integration-points-single-sign-on-and-billing',
  },
  {
    path: '/providers',
    title: 'Providers',
    load: async () => (await import('./screens/providers/providers.js')).ProvidersScreen,
    menu: 'Connect',
    icon: Blocks,
    help: 'console.html#providers',
  },
  {
    path: '/providers/operations',
    title: 'Operations by provider',
    load: async () => (await import('./screens/providers/matrix.js')).MatrixScreen,
    help: 'console.html#providers',
  },
  {
    path: '/providers/:providerId',
    title: 'Provider',
    load: async () => (await import('./screens/providers/provider.js')).ProviderScreen,
    help: 'console.html#providers',
  },
  {
    path: '/customs',
    title: 'Custom providers',
    load: async () => (await import('./screens/customs/customs.js')).CustomsScreen,
    menu: 'Connect',
    icon: Puzzle,
    needs: 'customs_list',
    help: 'console.html#custom-providers',
  },
  {
    path: '/customs/:customId',
    title: 'Custom provider',
    load: async () => (await import('./screens/customs/custom.js')).CustomScreen,
    help: 'providers/documents.html',
  },
  {
    path: '/explorer',
    title: 'Explorer',
    load: async () => (await import('./screens/explorer/explorer.js')).ExplorerScreen,
    menu: 'Records',
    icon: Compass,
    help: 'console.html#explorer',
  },
  {
    path: '/mappings',
    title: 'Mappings',
    load: async () => (await import('./screens/mappings/mappings.js')).MappingsScreen,
    menu: 'Records',
    icon: ArrowRightLeft,
    needs: 'mappings_list',
    help: 'mapping/chains.html',
  },
  {
    path: '/studio',
    title: 'Mapping studio',
    load: async () => (await import('./screens/studio/studio.js')).StudioScreen,
    menu: 'Records',
    icon: PencilRuler,
    needs: 'mappings_list',
    help: 'console.html#mapping-studio',
  },
  {
    path: '/requests',
    title: 'Requests',
    load: async () => (await import('./screens/requests/requests.js')).RequestsScreen,
    menu: 'Records',
    icon: ScrollText,
    needs: 'requests_list',
    help: 'requests.html',
  },
  {
    path: '/requests/:requestId',
    title: 'Request',
    load: async () => (await import('./screens/requests/request.js')).RequestScreen,
    help: 'requests.html#what-is-kept',
  },
  {
    path: '/jobs',
    title: 'Jobs',
    load: async () => (await import('./screens/jobs/jobs.js')).JobsScreen,
    menu: 'Records',
    icon: CalendarClock,
    needs: 'operations_list',
    help: 'jobs.html',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    load: async () => (await import('./screens/webhooks/webhooks.js')).WebhooksScreen,
    menu: 'Records',
    icon: Webhook,
    needs: 'organizationWebhooks_list',
    help: 'webhooks.html',
  },
  {
    path: '/webhooks/:webhookId',
    title: 'Webhook',
    load: async () => (await import('./screens/webhooks/webhook.js')).WebhookScreen,
    help: 'webhooks.html#deliveries-and-sending-them-again',
  },
  {
    path: '/tokens',
    title: 'Tokens',
    load: async () => (await import('./screens/tokens/tokens.js')).TokensScreen,
    menu: 'Access',
    icon: KeyRound,
    needs: 'tokens_list',
    help: 'console.html#tokens',
  },
  {
    path: '/members',
    title: 'Members and roles',
    load: async () => (await import('./screens/members/members.js')).MembersScreen,
    menu: 'Access',
    icon: Users,
    help: 'members.html',
  },
  {
    path: '/sign-on',
    title: 'Single sign-on',
    load: async () => (await import('./screens/sign-on/sign-on.js')).SignOnScreen,
    menu: 'Access',
    icon: LogIn,
    needs: 'auth_list_sso',
    help: 'single-sign-on.html',
  },
  {
    path: '/audit',
    title: 'Audit',
    load: async () => (await import('./screens/audit/audit.js')).AuditScreen,
    menu: 'Access',
    icon: FileClock,
    needs: 'audit_list',
    help: 'console.html#audit',
  },
  {
    path: '/settings',
    title: 'Settings',
    load: async () => (await import('./screens/settings/settings.js')).SettingsScreen,
    menu: 'Organization',
    icon: Settings,
    needs: 'organization_get',
    help: 'console.html#settings',
  },
  {
    path: '/billing',
    title: 'Billing',
    load: async () => (await import('./screens/billing/billing.js')).BillingScreen,
    menu: 'Organization',
    icon: Receipt,
    needs: 'billing_list',
    help: 'console.html#integration-points-single-sign-on-and-billing',
  },
  {
    path: '/sub-organizations',
    title: 'Sub-organizations',
    load: async () =>
      (await import('./screens/sub-organizations/sub-organizations.js')).SubOrganizationsScreen,
    menu: 'Organization',
    icon: Network,
    needs: 'subOrgs_list',
    help: 'console.html#sub-organizations',
  },
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
