import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { expectText, replaceText, textBeforeCursor, textOf } from './editor-text.js';
import type { Stage } from './stage.js';
import {
  mappingOf as document,
  openMapping,
  openStudio,
  resultOf as result,
} from './studio-page.js';

/** Specs of the mapping studio, against the mock of tickets. */
export function studioSpecs(stage: Stage): void {
  const open = async () => {
    const page = await stage.open();
    await openStudio(stage.tab, stage.token);
    return page;
  };
  const accountOfDesk = async () => (await deskPath()).split('/').at(-2) ?? '';
  const deskPath = async () => {
    const { result: all } = await stage.call<{ id: string; account_id: string; name: string }[]>(
      'GET',
      '/v1/integrations?limit=200',
    );
    const desk = all.find(({ name }) => name === 'service-desk');
    return `/v1/integrations/${desk?.account_id}/${desk?.id}`;
  };
  const store = async (name: string, ...lines: string[]) => {
    const body = { name, fullname: name, data: document(...lines) };
    const answer = await stage.call<{ mapping: { id: string } }>('POST', '/v1/mappings', body);
    return answer.result.mapping.id;
  };

  it('takes a live record, and shows what the document makes of it while it is typed', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Take a record of the customer' }).click();
    await result(page).getByText('"name":').waitFor();
    await replaceText(page.getByLabel('Document'), document('root.only = this.name.uppercase()'));
    await page.getByText('sets only · leaves out').waitFor();
    const record = JSON.parse(await page.getByLabel('Record as JSON').inputValue()) as {
      name: string;
    };
    const shown = JSON.parse(await result(page).innerText()) as unknown;
    expect(shown).toEqual({ only: record.name.toUpperCase() });
  });

  it('takes the record as it comes to the first own mapping, and shows its way through the stored chain', async () => {
    const own = await stage.call<{ integration: { id: string; account_id: string } }>(
      'POST',
      `/v1/integrations/${await accountOfDesk()}`,
      { name: 'traced', provider_config: { type: 'ticketing_mock_ticketing', name: 'desk' } },
    );
    const { id, account_id } = own.result.integration;
    await store('louder', 'root = this', 'root.name = this.name + "!"');
    const chain = { operation_ids: ['ticketing_query_tickets'], mappings: ['default:0', 'louder'] };
    const body = [{ op: 'add', path: '/mappings', value: [chain] }];
    await stage.call('PATCH', `/v1/integrations/${account_id}/${id}`, body);
    const page = await stage.open();
    await openStudio(stage.tab, stage.token, 'traced');
    await openMapping(page, 'louder');
    await page.getByRole('button', { name: 'Take a record of the customer' }).click();
    // The name has one exclamation mark: the mapping was not applied to its own result.
    await result(page, 'louder')
      .getByText(/"name": "[^!]*!"/)
      .waitFor();
    await page.getByText('What the stored chain makes of it').click();
    const way = page.locator('.way');
    await way.getByText('1. built-in mapping (default:0)').waitFor();
    await way.getByText('2. louder:1').waitFor();
    await stage.tab.expectAccessible('the way of a record');
  });

  it('keeps every digit, and no record in the audit trail', async () => {
    const page = await open();
    const sample = '{"n": 9007199254740993, "text": "canary-in-a-record"}';
    await page.getByLabel('Record as JSON').fill(sample);
    await result(page).getByText('9007199254740993').waitFor();
    expect(
      JSON.stringify(await stage.call('GET', '/v1/audit/organizations?limit=1000')),
    ).not.toContain('canary-in-a-record');
  });

  it('puts a caret below the character that is wrong, behind an emoji too, and the cursor there', async () => {
    const page = await open();
    const text = document('root = this', 'root.a = "😀" + this..n');
    await page.getByLabel('Record as JSON').fill('{"n": 1}');
    await result(page).getByText('"n": 1').waitFor();
    await replaceText(page.getByLabel('Document'), text);
    await page.getByRole('button', { name: /^Line 6, column/ }).click();
    expect(await textBeforeCursor(page)).toMatch(/"😀" \+ this\.$/u);
    expect(await page.locator('.cm-lintRange-error').count()).toBe(1);
    await page.getByText('The last result, before the fault:').waitFor();
    expect(await page.locator('.fault').count()).toBe(1);
  });

  it('leads to the place at which a mapping fails on the record, and keeps the last result', async () => {
    const page = await open();
    const text = document('root = this', 'root.n = this.n.uppercase()');
    await page.getByLabel('Record as JSON').fill('{"n": "five"}');
    await replaceText(page.getByLabel('Document'), text);
    await result(page).getByText('"n": "FIVE"').waitFor();
    await page.getByLabel('Record as JSON').fill('{"n": 5}');
    await page.getByText('expected string, got number 5').waitFor();
    await page.getByRole('button', { name: 'Line 6, column 14', exact: true }).click();
    expect(await textBeforeCursor(page)).toMatch(/root\.n = $/);
    await page.getByText('The last result, before the fault:').waitFor();
    expect(await result(page).innerText()).toContain('FIVE');
  });

  it('compares the result with what the built-in mapping has made, field by field', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Take a record of the customer' }).click();
    await result(page).getByText('"custom_fields"').waitFor();
    const lines = ['root = this', 'root.custom_fields.site = "Porto"', 'root.tags = deleted()'];
    await replaceText(
      page.getByLabel('Document'),
      document(...lines, 'root.level = 9007199254740993'),
    );
    await page.getByText('3 fields differ').waitFor();
    const cells = async () =>
      (await page.getByRole('table').getByRole('row').all()).map((one) => one.innerText());
    const [, ...rows] = await Promise.all(await cells());
    expect(rows.map((one) => one.split(/\s*\t\s*/))).toEqual([
      ['tags', '["vpn","remote-work"]', 'not there'],
      ['custom_fields.site', '"Lisbon"', '"Porto"'],
      ['level', 'not there', '9007199254740993'],
    ]);
  });

  it('shows who saves second what the first has saved, and lets them choose', async () => {
    const id = await store('studio-shared', 'root = this');
    const theirs = document('root = this', 'root.theirs = true');
    const saveTheirs = async (data: string) => {
      const body = [{ op: 'replace', path: '/data', value: data }];
      await stage.call('PATCH', `/v1/mappings/${id}`, body);
    };
    const stored = async () =>
      (await stage.call<{ data: string }>('GET', `/v1/mappings/${id}`)).result.data;
    const page = await open();
    await openMapping(page, 'studio-shared');
    const mine = document('root = this', 'root.mine = true');
    await replaceText(page.getByLabel('Document'), mine);
    await saveTheirs(theirs);
    const save = page.getByRole('button', { name: 'Save for everybody who uses it' });
    await save.click();
    const difference = page.getByLabel('What they have saved, and yours');
    await difference.waitFor();
    expect(await difference.locator('del').allInnerTexts()).toEqual(['−     root.theirs = true\n']);
    expect(await difference.locator('ins').allInnerTexts()).toEqual(['+     root.mine = true\n']);
    expect(await stored()).toBe(theirs);
    await expectText(page.getByLabel('Document'), mine);
    // Somebody saves once more before the choice is made.
    await saveTheirs(document('root = this', 'root.theirs = "again"'));
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await difference.getByText('root.theirs = "again"').waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    const editor = page.getByRole('region', { name: 'Editor' });
    await editor.getByRole('status').getByText('Saved for everybody who uses it').waitFor();
    expect(await stored()).toBe(mine);
    await replaceText(page.getByLabel('Document'), document('root.never = true'));
    await saveTheirs(theirs);
    await save.click();
    await page.getByRole('button', { name: 'Take theirs, drop mine' }).click();
    await expectText(page.getByLabel('Document'), theirs);
    expect(await stored()).toBe(theirs);
  });

  it('says before a save which records of the customer would change, and stores nothing', async () => {
    const page = await open();
    await replaceText(
      page.getByLabel('Document'),
      document('root = this', 'root.name = if this.id == "ITS-1001" { "changed" }'),
    );
    await page.getByRole('button', { name: 'Try on 50 records' }).click();
    const effect = /^Of \d+ records, 1 would change, \d+ would stay the same\.$/;
    await page.locator('strong', { hasText: effect }).waitFor(); // it is announced, too
    const table = page.getByLabel('Fields that would change');
    expect(await table.getByRole('row').count()).toBe(2);
    await table.getByText('"changed"').waitFor();
    await stage.tab.expectAccessible('studio, tried on many records');
    await replaceText(page.getByLabel('Document'), document('root.name = this.summary.number()'));
    await page.getByText('The document was changed since').waitFor();
    await page.getByRole('button', { name: 'Try on 50 records' }).click();
    await page.locator('strong', { hasText: /would fail/ }).waitFor();
  });

  it('shows each mapping of a chain with what it changes', async () => {
    await store('studio-first', 'root = this', 'root.first = true');
    const path = await deskPath();
    const mappings = [
      { mappings: ['default:0', 'studio-first'], operation_ids: ['ticketing_query_tickets'] },
    ];
    await stage.call('PATCH', path, [{ op: 'add', path: '/mappings', value: mappings }]);
    try {
      const page = await open();
      await page.getByText('built-in mapping (default:0) → studio-first').waitFor();
      await page.getByLabel('Record as JSON').fill('{"n": "x"}');
      await replaceText(
        page.getByLabel('Document'),
        document('root = this', 'root.n = this.n.uppercase()'),
      );
      await page.getByText('sets first').waitFor();
      await page.getByText('changes n', { exact: true }).waitFor();
    } finally {
      await stage.call('PATCH', path, [{ op: 'remove', path: '/mappings' }]);
    }
  });

  it('saves for one integration, whose answers change while those of another stay', async () => {
    const accounts = await stage.call<{ id: string }[]>('GET', '/v1/accounts?limit=1');
    const create = {
      name: 'studio-other',
      provider_config: { type: 'ticketing_mock_ticketing', name: 'studio-other' },
    };
    const other = await stage.call<{ id: string; token: { access: { secret: string } } }>(
      'POST',
      `/v1/integrations/${accounts.result[0]?.id}`,
      create,
    );
    const tickets = async (token: string) =>
      JSON.stringify(
        (await stage.call('GET', '/v1/ticketing/tickets?limit=2', undefined, token)).result,
      );
    const secret = other.result.token.access.secret;
    await tickets(secret);
    const before = await tickets(secret);
    const page = await open();
    await replaceText(
      page.getByLabel('Document'),
      document('root = this', 'root.name = "from the studio"'),
    );
    await page.getByLabel('Name of the new mapping').fill('studio-one');
    await page.getByRole('button', { name: 'Save for this integration only' }).click();
    await page.getByText('built-in mapping (default:0) → studio-one').waitFor();
    await eventually(async () =>
      expect(await tickets(stage.integrationToken)).toContain('from the studio'),
    );
    expect(await tickets(secret)).toBe(before);
    await stage.call('PATCH', await deskPath(), [{ op: 'remove', path: '/mappings' }]);
  });

  it('keeps what was typed when the session ends, and goes on after the next logon', async () => {
    const page = await stage.open();
    const { id, secret } = await stage.createToken('administrator');
    await openStudio(stage.tab, secret);
    // The editor reads the document of the API when it is entered. That and the first try would open the dialog before somebody has typed.
    const read = page.waitForResponse(/\/v1\/meta\/openapi\/engine/);
    await page.getByLabel('Document').focus();
    await read;
    await page.getByLabel('Record as JSON').fill('{"n": "still here"}');
    await result(page).getByText('"n": "still here"').waitFor();
    await stage.call('DELETE', `/v1/tokens/${id}`);
    const text = document('root.kept = this.n');
    await replaceText(page.getByLabel('Document'), text); // Its try opens the dialog, below which nobody can type.
    await page.getByRole('heading', { name: 'Log on again' }).waitFor();
    await stage.tab.pasteToken(stage.token);
    await result(page).getByText('"kept": "still here"').waitFor();
    expect(await textOf(page.getByLabel('Document'))).toBe(text);
  });
}
