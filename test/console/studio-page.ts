import type { Locator, Page } from 'playwright-core';
import type { ConsolePage } from './console-page.js';

const header = `engine: bloblang_direct
version: '1.0'
templates:
  default: |
`;

/** A mapping document with a template of these lines. */
export function mappingOf(...lines: string[]): string {
  return header + lines.map((line) => `    ${line}\n`).join('');
}

/** Opens the studio for the tickets of the mock. @param token undefined for who has logged on */
export async function openStudio(
  tab: ConsolePage,
  token: string | undefined,
  integration = 'Service desk',
): Promise<void> {
  const { page } = tab;
  await (token === undefined ? tab.show('/studio') : tab.showTo(token, '/studio'));
  await tab.chooseIntegration(integration);
  await page.getByLabel('Operation').selectOption('ticketing_query_tickets');
  await page.getByLabel('Document').waitFor();
}

/** Chooses a stored mapping as what is edited. */
export async function openMapping(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Mapping', exact: true }).fill(name);
  await page.getByRole('listbox').getByRole('option', { name }).first().click();
  await page.getByRole('button', { name: 'Save for everybody who uses it' }).waitFor();
}

/** The text that a mapping of the chain has made. */
export function resultOf(page: Page, mapping = 'new mapping'): Locator {
  return page.getByLabel(`Result of ${mapping}`, { exact: true });
}
