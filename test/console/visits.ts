import type { Stage } from './stage.js';

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
  await page.getByRole('button', { name: /GitHub Issues/ }).click();
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('This is needed.').first().waitFor();
  await tab.expectAccessible('connect, access with faults');
  await page.getByLabel('Repository').fill('octo-org/desk');
  await page.getByText('One optional field').click();
  await page.getByLabel('URL').fill(stage.githubUrl);
  await page.getByLabel('Secret').fill('wrong');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('alert').waitFor();
  await tab.expectAccessible('connect, refused');
  await tab.show('/explorer');
  await page.getByText('Choose an integration').waitFor();
  await tab.expectAccessible('explorer, empty');
  await page.getByLabel('Integration').selectOption('Service desk (Mock Ticketing)');
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
}
