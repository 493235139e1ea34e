import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '#test/harness';
import { expectText, replaceText, textBeforeCursor, textOf } from './editor-text.js';
import type { Stage } from './stage.js';

interface Custom {
  id: string;
  name: string;
  data: string;
}

/** Specs of the editor of provider documents. */
export function customsSpecs(stage: Stage): void {
  const customs = async () => (await stage.call<Custom[]>('GET', '/v1/customs')).result;
  const documentOf = (name: string) => `provider: ticketing_${name}
version: 1.0.0
fullname: Desk ${name}
vendor: Acme
http:
  base_url: '"${stage.githubUrl}"'
operations:
  ticketing_get_ticket:
    response: ticket
    steps:
      - path: /tickets/{this.path.ticketId}
    record: this.steps.call
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: root.id = this.id
`;
  const open = async (path: string, token = stage.token) => {
    const page = await stage.open();
    await stage.tab.showTo(token, path);
    await page.getByLabel('Document').waitFor();
    return page;
  };
  const check = (page: Page) => page.getByRole('region', { name: 'Check' });

  it('shows all faults of a document at their places, and stores nothing before it is saved', async () => {
    const before = await customs();
    const page = await open('/customs/new');
    const text = documentOf('faults')
      .replace('version: 1.0.0', 'version: one')
      .replace('record:', 'recrod:')
      .replace('this.steps.call', 'this.steps.call.nope()');
    await replaceText(page.getByLabel('Document'), text);
    await check(page).locator('.fault').nth(2).waitFor();
    expect(await check(page).locator('.fault').count()).toBe(3);
    await stage.tab.expectAccessible('custom provider, with faults');
    await check(page).getByRole('button', { name: 'Line 12, column 5' }).click();
    expect(text.replace(await textBeforeCursor(page), '')).toMatch(/^recrod:/);
    await replaceText(page.getByLabel('Document'), documentOf('faults'));
    await check(page).getByText('The document has no faults. It is not saved yet.').waitFor();
    expect(await customs()).toEqual(before);
    await page.getByRole('button', { name: 'Create custom provider' }).dblclick();
    await page.getByRole('heading', { name: 'Desk faults' }).waitFor();
    expect(await customs()).toHaveLength(before.length + 1);
    await stage.tab.expectAccessible('custom provider');
    await page.getByRole('button', { name: 'Connect ticketing_faults' }).click();
    await page.getByRole('button', { name: 'Demo account' }).click();
    await page.getByRole('heading', { name: 'Desk faults' }).waitFor();
  });

  it('offers the keys of the place, the operations of the domain, and leads to the parts by the outline', async () => {
    const page = await open('/customs/new');
    const editor = page.getByLabel('Document');
    const list = page.getByRole('listbox', { name: 'What may stand here' });
    await replaceText(editor, documentOf('keys').trimEnd());
    await page.getByRole('button', { name: 'ticketing_get_ticket' }).click();
    await editor.press('End');
    await editor.pressSequentially('\nne');
    await list.getByRole('option', { name: 'needs' }).waitFor();
    await editor.press('Enter');
    expect(await textOf(editor)).toContain('  ticketing_get_ticket:\n    needs: \n');
    await editor.pressSequentially('read\n');
    await editor.press('Backspace');
    await editor.pressSequentially('query_tick');
    await list.getByRole('option', { name: /^ticketing_query_tickets/ }).waitFor();
    await editor.press('Escape');
    await editor.press('Control+End');
    await editor.pressSequentially('.upp');
    await list.getByRole('option', { name: 'uppercase ()' }).waitFor();
  });

  it('offers the keys to somebody who typed before they were loaded', async () => {
    const page = await stage.open();
    const held: (() => void)[] = [];
    await page.route(/provider-document\.schema-.*\.js$/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await stage.tab.showTo(stage.token, '/customs/new');
    const editor = page.getByLabel('Document');
    const list = page.getByRole('listbox', { name: 'What may stand here' });
    await replaceText(editor, 'ful');
    await editor.press('End');
    await editor.pressSequentially('l');
    expect(await list.count()).toBe(0);
    await until(() => held.length === 1);
    held.forEach((release) => release());
    await list.getByRole('option', { name: 'fullname' }).waitFor();
  });

  it('shows who saves second what the first has saved, says who uses a document, and deletes one', async () => {
    const { result } = await stage.call<{ custom: Custom }>('POST', '/v1/customs', {
      data: documentOf('shared'),
    });
    const { id } = result.custom;
    const stored = async () => (await stage.call<Custom>('GET', `/v1/customs/${id}`)).result.data;
    const page = await open(`/customs/${id}`);
    const mine = documentOf('shared').replace('vendor: Acme', 'vendor: Mine');
    const theirs = documentOf('shared').replace('vendor: Acme', 'vendor: Theirs');
    await replaceText(page.getByLabel('Document'), mine);
    await page.getByLabel('What you have changed').getByText('vendor: Mine').waitFor();
    await stage.call('PATCH', `/v1/customs/${id}`, [
      { op: 'replace', path: '/data', value: theirs },
    ]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const difference = page.getByLabel('What they have saved, and yours');
    await difference.getByText('vendor: Theirs').waitFor();
    expect(await stored()).toBe(theirs);
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page
      .getByRole('region', { name: 'Editor' })
      .getByText('Saved', { exact: true })
      .waitFor();
    expect(await stored()).toBe(mine);
    const accounts = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    const made = await stage.call<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${accounts.result[0]?.id}`,
      { name: 'uses-a-custom', provider_config: { type: 'ticketing_shared' } },
    );
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete custom provider' }).click();
    await page.getByRole('alert').getByText('"uses-a-custom"').waitFor();
    await stage.call(
      'DELETE',
      `/v1/integrations/${accounts.result[0]?.id}/${made.result.integration.id}`,
    );
    await page.getByRole('button', { name: 'Delete custom provider' }).click();
    await page.getByRole('heading', { name: 'Custom providers' }).waitFor();
    expect((await customs()).map((one) => one.id)).not.toContain(id);
  });

  it('keeps what is typed while a document is created and while it is saved', async () => {
    const page = await open('/customs/new');
    const editor = page.getByLabel('Document');
    const held: (() => void)[] = [];
    await page.route(/\/v1\/customs(\/\w+)?$/, async (route) => {
      if (route.request().method() !== 'GET')
        await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const typeMeanwhile = async (button: string, text: string) => {
      await page.getByRole('button', { name: button, exact: true }).click();
      await until(() => held.length === 1);
      await editor.press('Control+End');
      await editor.pressSequentially(text);
      held.shift()?.();
      await page.getByLabel('What you have changed').getByText(text.trim()).waitFor();
    };
    await replaceText(editor, documentOf('typed'));
    await typeMeanwhile('Create custom provider', '# first');
    await page.getByRole('heading', { name: 'Desk typed' }).waitFor();
    await expectText(editor, `${documentOf('typed')}# first`);
    await typeMeanwhile('Save', ' # second');
    await expectText(editor, `${documentOf('typed')}# first # second`);
    // The difference is shown before the click, too.
    await page
      .getByRole('region', { name: 'Editor' })
      .getByText('Saved', { exact: true })
      .waitFor();
    const made = (await customs()).find(({ name }) => name.includes('typed'));
    expect(made?.data).toBe(`${documentOf('typed')}# first`);
  });

  it('names the permission to somebody who may not change documents, and sends nothing', async () => {
    const viewer = await stage.createToken('viewer');
    const page = await open('/customs/new', viewer.secret);
    await page
      .getByText('Needs the permission “Customs: create”, customs.create.')
      .first()
      .waitFor();
    await replaceText(page.getByLabel('Document'), documentOf('viewer'));
    await page.getByRole('button', { name: 'Create custom provider' }).dispatchEvent('click');
    await stage.tab.show('/customs');
    await page.getByText('Needs the permission “Customs: create”, customs.create.').waitFor();
    await stage.tab.expectAccessible('custom providers');
    expect(stage.tab.writes).toEqual([]);
  });
}
