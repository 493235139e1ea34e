import { replaceText } from './editor-text.js';
import type { Stage } from './stage.js';
import { openStudio } from './studio-page.js';

/** Goes through the screens on which something is made, and expects each of their states to be accessible. */
export async function visitNewScreens(stage: Stage): Promise<void> {
  const { tab } = stage;
  const { page } = tab;
  await tab.show('/integrations/new');
  await page.getByRole('button', { name: 'Demo account' }).waitFor();
  await tab.expectAccessible('connect, customer');
  await page.getByRole('button', { name: 'Demo account' }).click();
  await page.getByLabel('Find a system').waitFor();
  await tab.expectAccessible('connect, system');
  await page.getByLabel('Find a system').fill('nothing has this name');
  await page.getByText('No provider of this installation').waitFor();
  await tab.expectAccessible('connect, no system');
  await page.getByLabel('Find a system').fill('github issues');
  await page.getByRole('button', { name: /^GitHub Issues(?! \(mock)/ }).click();
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('This is needed.').first().waitFor();
  await tab.expectAccessible('connect, access with faults');
  await page.getByLabel('Repository').fill('alderpoint/desk');
  await page.getByText('One optional field').click();
  await page.getByLabel('URL').fill(stage.githubUrl);
  await page.getByLabel('Secret').fill('wrong');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('alert').waitFor();
  await tab.expectAccessible('connect, refused');
  await tab.show('/explorer');
  await page.getByText('Choose an integration').waitFor();
  await tab.expectAccessible('explorer, empty');
  await page.getByRole('combobox', { name: 'Integration' }).click();
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await tab.expectAccessible('explorer, integrations to choose from');
  await tab.chooseIntegration('Service desk');
  await page.getByRole('button', { name: /^Query tickets/ }).click();
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByLabel('Limit').fill('two');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await tab.expectAccessible('explorer, failed');
  await page.getByLabel('Limit').fill('2');
  await page.getByRole('button', { name: 'Remove filter 1' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('group', { name: 'Records' }).waitFor();
  await tab.expectAccessible('explorer, full');
  await tab.show('/studio');
  await page.getByText('Choose the integration').waitFor();
  await tab.expectAccessible('studio, empty');
  await openStudio(tab, undefined);
  await page.getByRole('button', { name: 'Take a record of the customer' }).click();
  await page.getByLabel('Result of new mapping').getByText('"name":').waitFor();
  await tab.expectAccessible('studio, full');
  await replaceText(
    page.getByLabel('Document'),
    'engine: bloblang_direct\nversion: "1.0"\ntemplates: {default: root = this..n}',
  );
  await page.getByText('The last result, before').waitFor();
  await tab.expectAccessible('studio, failed');
  await tab.show('/jobs');
  await page.getByText('Last runs').waitFor();
  await page.getByRole('button', { name: 'Run a job' }).click();
  await page.getByLabel('Sink').waitFor();
  await tab.expectAccessible('jobs, run one');
  await tab.show('/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('alert').waitFor();
  await tab.expectAccessible('webhooks, new one with faults');
  await tab.show('/webhooks/whk_none');
  await page.getByRole('alert').waitFor();
  await tab.expectAccessible('webhook, failed');
  await tab.show('/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('button', { name: 'Create token' }).waitFor();
  await tab.expectAccessible('new token');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Rotate/ })
    .first()
    .click();
  await tab.expectAccessible('rotate a token');
  await visitAudit(stage);
  await visitMembers(stage);
  await visitSettings(stage);
  await visitProviders(stage);
}

/** Goes through the tabs of the integration that is shown, but for the first one. */
export async function visitIntegrationTabs({ tab }: Stage): Promise<void> {
  const { page } = tab;
  const tabs = page.getByRole('navigation', { name: 'Tabs of the integration' });
  const headings = {
    Requests: 'Last calls',
    Mappings: 'Mappings',
    Schedules: 'Last runs',
    Webhooks: 'Deliveries',
    Settings: 'As JSON',
    Tokens: 'Tokens',
  };
  for (const [name, heading] of Object.entries(headings)) {
    await tabs.getByRole('link', { name }).click();
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
    await tab.expectAccessible(`integration, ${name}`);
  }
}

async function visitAudit({ tab }: Stage): Promise<void> {
  const { page } = tab;
  await tab.show('/audit');
  const first = page.locator('.trail > li').first();
  await first.locator('summary').click();
  await first.locator('.detail').waitFor();
  await tab.expectAccessible('audit');
  await tab.show('/audit?record=int_none');
  await page.getByText('No record of the trail is like this.').waitFor();
  await tab.expectAccessible('audit, empty');
  await tab.show('/audit?from=never');
  await page.getByRole('alert').waitFor();
  await tab.expectAccessible('audit, failed');
}

async function visitMembers({ tab }: Stage): Promise<void> {
  const { page } = tab;
  await tab.show('/members');
  await page.getByRole('rowheader', { name: 'Viewer' }).waitFor();
  await page.getByText('Permissions of Viewer').click();
  await tab.expectAccessible('members and roles');
  await page.getByRole('button', { name: 'As this role: Viewer' }).click();
  await page.getByRole('list', { name: 'Menu' }).waitFor();
  await tab.expectAccessible('members, preview of a role');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('This is needed.').waitFor();
  await tab.expectAccessible('members, invitation with faults');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await tab.expectAccessible('members, removal');
}

async function visitSettings({ tab }: Stage): Promise<void> {
  const { page } = tab;
  await tab.show('/settings');
  await page.getByLabel('Allowed origins').fill('https://app.example.com/page');
  await page.getByLabel('Accent colour', { exact: true }).fill('#ffee00');
  await page.getByLabel('Accent on dark ground', { exact: true }).fill('blue');
  await page.getByRole('button', { name: 'Check what browsers are told' }).click();
  await page.getByText('Is refused until you save it').waitFor();
  await tab.expectAccessible('settings with faults');
}

async function visitProviders({ tab }: Stage): Promise<void> {
  const { page } = tab;
  await tab.show('/providers');
  await page.getByText(/^\d+ providers$/).waitFor();
  await tab.expectAccessible('providers');
  await tab.show('/providers?name=nothing-has-this-name');
  await page.getByText('No provider is like this.').waitFor();
  await tab.expectAccessible('providers, empty');
  await tab.show('/providers/ticketing_github');
  await page.getByRole('group', { name: 'Operations' }).waitFor();
  await tab.expectAccessible('provider');
  await tab.show('/providers/ticketing_none');
  await page.getByRole('alert').waitFor();
  await tab.expectAccessible('provider, failed');
}
