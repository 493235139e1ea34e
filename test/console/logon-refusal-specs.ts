import { expect, it } from '@jest/globals';
import type { Stage } from './stage.js';

const secret = 'correct horse battery';

/** Specs of logons that are refused, each in its own way. */
export function logonRefusalSpecs(stage: Stage): void {
  const create = async (name: string, option?: string) => {
    const { result } = await stage.call<{ member: { id: string } }>('POST', '/v1/members', {
      name: `${name}@example.com`,
      secret,
      role_binding: ['viewer'],
      ...(option === undefined ? {} : { options: { options: [option] } }),
    });
    return result.member.id;
  };

  it('gives each refusal of a logon a sentence of its own', async () => {
    await create('right');
    await create('is-locked', 'locked');
    await create('is-disabled', 'disabled');
    const late = await create('is-late', 'invited');
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const patch = [{ op: 'replace', path: '/pin_expires', value: yesterday }];
    await stage.call('PATCH', `/v1/members/${late}`, patch);
    const member = { name: 'right@example.com', secret, role_binding: ['administrator'] };
    await stage.call('POST', '/v1/suborgs', { name: 'switched-off', member });
    await stage.admin('disable', '--organization', 'switched-off');

    const page = await stage.open();
    await stage.tab.show('/');
    await page.getByRole('tab', { name: 'Password' }).click();
    const refuse = async (organization: string, name: string, password: string, text: string) => {
      await page.getByLabel('Organization').fill(organization);
      await page.getByLabel('Member').fill(`${name}@example.com`);
      await page.locator('input[type=password]').fill(password);
      await page.getByRole('button', { name: 'Log on', exact: true }).click();
      const alert = page.getByRole('alert');
      await alert.getByText(text).waitFor();
      return await alert.innerText();
    };
    const wrong = 'Organization, member or password is wrong.';
    const sentences = [
      await refuse(stage.organization, 'right', 'not the password', wrong),
      await refuse(stage.organization, 'is-locked', secret, 'This member is locked'),
      await refuse(
        stage.organization,
        'is-disabled',
        secret,
        'An administrator has disabled this member.',
      ),
      await refuse(
        stage.organization,
        'is-late',
        secret,
        'This member, or its invitation, has expired.',
      ),
      await refuse('switched-off', 'right', secret, 'This organization is disabled.'),
    ];
    // Enough real attempts would keep this address from logging on in the specs that follow.
    await page.route('**/v1/auth/logon/**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '80' },
        contentType: 'application/json',
        body: JSON.stringify({ status: 429, message: 'too many logons' }),
      }),
    );
    const many = 'Too many attempts from this address.';
    sentences.push(await refuse(stage.organization, 'right', secret, many));
    await page.getByText(/^Try again in \d+ s\.$/).waitFor();
    expect(new Set(sentences).size).toBe(6);
    // Names that do not exist say the same as wrong passwords.
    await page.unroute('**/v1/auth/logon/**');
    expect(await refuse(stage.organization, 'nobody', secret, wrong)).toBe(sentences[0]);
    expect(await refuse('nowhere', 'right', secret, wrong)).toBe(sentences[0]);
  });
}
