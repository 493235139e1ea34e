import type { Parameters, Route } from './route.js';

export const routes: readonly Route[] = [
  {
    path: '/',
    title: 'Overview',
    load: async () => (await import('./screens/overview.js')).OverviewScreen,
    menu: '',
  },
  {
    path: '/integrations',
    title: 'Integrations',
    load: async () => (await import('./screens/integrations.js')).IntegrationsScreen,
    menu: 'Connect',
    needs: 'status_list',
  },
  {
    path: '/integrations/new',
    title: 'Connect a system',
    load: async () => (await import('./screens/connect/connect.js')).ConnectScreen,
  },
  {
    path: '/integrations/:accountId/:integrationId',
    title: 'Integration',
    load: async () => (await import('./screens/integration/integration.js')).IntegrationScreen,
  },
  {
    path: '/accounts',
    title: 'Accounts',
    load: async () => (await import('./screens/accounts.js')).AccountsScreen,
    menu: 'Connect',
    needs: 'accounts_list',
  },
  {
    path: '/accounts/:accountId',
    title: 'Account',
    load: async () => (await import('./screens/account/account.js')).AccountScreen,
  },
  {
    path: '/points',
    title: 'Integration points',
    load: async () => (await import('./screens/points/points.js')).PointsScreen,
    menu: 'Connect',
    needs: 'integrationPoints_list',
  },
  {
    path: '/points/:pointId',
    title: 'Integration point',
    load: async () => (await import('./screens/points/point.js')).PointScreen,
  },
  {
    path: '/providers',
    title: 'Providers',
    load: async () => (await import('./screens/providers/providers.js')).ProvidersScreen,
    menu: 'Connect',
  },
  {
    path: '/providers/operations',
    title: 'Operations by provider',
    load: async () => (await import('./screens/providers/matrix.js')).MatrixScreen,
  },
  {
    path: '/providers/:providerId',
    title: 'Provider',
    load: async () => (await import('./screens/providers/provider.js')).ProviderScreen,
  },
  {
    path: '/customs',
    title: 'Custom providers',
    load: async () => (await import('./screens/customs/customs.js')).CustomsScreen,
    menu: 'Connect',
    needs: 'customs_list',
  },
  {
    path: '/customs/:customId',
    title: 'Custom provider',
    load: async () => (await import('./screens/customs/custom.js')).CustomScreen,
  },
  {
    path: '/explorer',
    title: 'Explorer',
    load: async () => (await import('./screens/explorer/explorer.js')).ExplorerScreen,
    menu: 'Records',
  },
  {
    path: '/mappings',
    title: 'Mappings',
    load: async () => (await import('./screens/mappings/mappings.js')).MappingsScreen,
    menu: 'Records',
    needs: 'mappings_list',
  },
  {
    path: '/studio',
    title: 'Mapping studio',
    load: async () => (await import('./screens/studio/studio.js')).StudioScreen,
    menu: 'Records',
    needs: 'mappings_list',
  },
  {
    path: '/requests',
    title: 'Requests',
    load: async () => (await import('./screens/requests/requests.js')).RequestsScreen,
    menu: 'Records',
    needs: 'requests_list',
  },
  {
    path: '/requests/:requestId',
    title: 'Request',
    load: async () => (await import('./screens/requests/request.js')).RequestScreen,
  },
  {
    path: '/jobs',
    title: 'Jobs',
    load: async () => (await import('./screens/jobs/jobs.js')).JobsScreen,
    menu: 'Records',
    needs: 'operations_list',
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    load: async () => (await import('./screens/webhooks/webhooks.js')).WebhooksScreen,
    menu: 'Records',
    needs: 'organizationWebhooks_list',
  },
  {
    path: '/webhooks/:webhookId',
    title: 'Webhook',
    load: async () => (await import('./screens/webhooks/webhook.js')).WebhookScreen,
  },
  {
    path: '/tokens',
    title: 'Tokens',
    load: async () => (await import('./screens/tokens/tokens.js')).TokensScreen,
    menu: 'Access',
    needs: 'tokens_list',
  },
  {
    path: '/members',
    title: 'Members and roles',
    load: async () => (await import('./screens/members/members.js')).MembersScreen,
    menu: 'Access',
  },
  {
    path: '/sign-on',
    title: 'Single sign-on',
    load: async () => (await import('./screens/sign-on/sign-on.js')).SignOnScreen,
    menu: 'Access',
    needs: 'auth_list_sso',
  },
  {
    path: '/audit',
    title: 'Audit',
    load: async () => (await import('./screens/audit/audit.js')).AuditScreen,
    menu: 'Access',
    needs: 'audit_list',
  },
  {
    path: '/settings',
    title: 'Settings',
    load: async () => (await import('./screens/settings/settings.js')).SettingsScreen,
    menu: 'Organization',
    needs: 'organization_get',
  },
  {
    path: '/billing',
    title: 'Billing',
    load: async () => (await import('./screens/billing/billing.js')).BillingScreen,
    menu: 'Organization',
    needs: 'billing_list',
  },
  {
    path: '/sub-organizations',
    title: 'Sub-organizations',
    load: async () =>
      (await import('./screens/sub-organizations/sub-organizations.js')).SubOrganizationsScreen,
    menu: 'Organization',
    needs: 'subOrgs_list',
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
