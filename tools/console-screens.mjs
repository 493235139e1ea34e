// The screens of which pictures are taken: each function shows one.

/** For screens whose result is at their end. */
const tallHeight = 1_240;
/** Waits for a screen and for what it loads. */
const heading = async (page, name) => {
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
};
const button = (page, name) => page.getByRole('button', { name, exact: true });

export const screens = {
  logon: async ({ page, go }) => {
    await go('/');
    await page.getByLabel('Organization token').waitFor();
  },
  overview: async ({ page }) => {
    await page.getByText('Credentials refused').first().waitFor();
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
  },
  integrations: async ({ page, go }) => {
    await go('/integrations');
    await page.getByRole('table').waitFor();
  },
  integration: async ({ page, go, desk }) => {
    await go(`/integrations/${desk}`);
    await button(page, 'Verify now').click();
    await page.getByText('Checked').waitFor();
  },
  calls: async ({ page, go, desk }) => {
    await go(`/integrations/${desk}?tab=requests`);
    await page.getByText('Requests per minute').waitFor();
    await page.getByRole('heading', { name: 'Last calls' }).waitFor();
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
  },
  failing: async ({ page, go, refused }) => {
    await go(`/integrations/${refused}`);
    await button(page, 'Verify now').click();
    await page.getByRole('alert').waitFor();
  },
  connect: async ({ page, go, nordwind }) => {
    await go(`/integrations/new?account=${nordwind}`);
    await page.getByLabel('Find a system').fill('ticketing');
    await page.getByRole('button', { name: /Jira/ }).first().waitFor();
  },
  check: async ({ page, go, nordwind, providerUrl }) => {
    await go(`/integrations/new?account=${nordwind}&provider=ticketing_github`);
    await page.getByLabel('Repository').fill('example/desk');
    await page.getByText('One optional field').click();
    await page.getByLabel('URL').fill(`${providerUrl}/403`);
    await page.getByLabel('Secret').fill('example-token');
    await button(page, 'Check').click();
    await page.getByRole('alert').waitFor();
  },
  accounts: async ({ page, go }) => {
    await go('/accounts');
    await page.getByRole('table').waitFor();
  },
  account: async ({ page, go, nordwind }) => {
    await go(`/accounts/${nordwind}`);
    await page.getByRole('table').first().waitFor();
  },
  points: async ({ page, go }) => {
    await go('/points');
    await page.getByRole('button', { name: 'New integration point' }).waitFor();
  },
  providers: async ({ page, go }) => {
    await go('/providers?domain=ticketing');
    await page.getByText(/^\d+ providers$/).waitFor();
  },
  provider: async ({ page, go }) => {
    await go('/providers/ticketing_github');
    await page.getByRole('group', { name: 'Operations' }).waitFor();
  },
  customs: async ({ page, go }) => {
    await go('/customs');
    await heading(page, 'Custom providers');
  },
  explorer: async ({ page, go, desk }) => {
    await go(`/explorer?integration=${desk}&operation=ticketing_query_tickets`);
    await page.getByLabel('Limit').fill('8');
    await button(page, 'Send').click();
    await page.getByRole('group', { name: 'Records' }).waitFor();
  },
  studio: async ({ page, go, desk, mappingId }) => {
    await page.setViewportSize({ ...page.viewportSize(), height: tallHeight });
    await go(`/studio?integration=${desk}&operation=ticketing_query_tickets&mapping=${mappingId}`);
    await button(page, 'Take a record of the customer').click();
    await page.getByText('[CRITICAL]').first().waitFor();
    await page
      .getByText(/fields? differs?/)
      .filter({ visible: true })
      .first()
      .waitFor();
  },
  mappings: async ({ page, go }) => {
    await go('/mappings');
    await page.getByRole('table').waitFor();
  },
  log: async ({ page, go }) => {
    await go('/requests');
    await page.getByRole('table').waitFor();
  },
  jobs: async ({ page, go }) => {
    await go('/jobs');
    await page.getByText('Complete').last().waitFor();
  },
  webhook: async ({ page, go, webhookId }) => {
    await go(`/webhooks/${webhookId}`);
    await page.getByText('Attempts and body').first().click();
  },
  tokens: async ({ page, go }) => {
    await go('/tokens');
    await page.getByRole('table').waitFor();
  },
  members: async ({ page, go }) => {
    await go('/members');
    await page.getByRole('rowheader', { name: 'Viewer' }).waitFor();
  },
  'sign-on': async ({ page, go }) => {
    await go('/sign-on');
    await heading(page, 'Single sign-on');
  },
  audit: async ({ page, go, desk }) => {
    await go(`/audit?record=${desk.split('/').at(-1)}`);
    await page.locator('.trail summary').first().click();
    await page.locator('.detail').waitFor();
  },
  settings: async ({ page, go }) => {
    await page.setViewportSize({ ...page.viewportSize(), height: tallHeight });
    await go('/settings');
    await page.getByLabel('Allowed origins').fill('https://app.example.com');
    await page.getByLabel('Name of your product').fill('Acme Desk');
    await page.getByLabel('Accent colour', { exact: true }).fill('#e8590c');
  },
  billing: async ({ page, go }) => {
    await go('/billing');
    await heading(page, 'Billing');
  },
  'sub-organizations': async ({ page, go }) => {
    await go('/sub-organizations');
    await heading(page, 'Sub-organizations');
  },
  requests: async ({ page, go }) => {
    await go('/integrations');
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: /^API/ }).click();
  },
};
