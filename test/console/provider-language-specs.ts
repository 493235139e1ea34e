import { beforeAll, expect, it } from '@jest/globals';
import type { ConnectUiStage } from './connect-ui-stage.js';

/** A document of a host, whose texts are translated but for one step and one field. */
const document = `provider: ticketing_harbour
version: 1.0.0
fullname: Harbour Desk
vendor: Harbour
setup:
  steps: [Create a token that Onefold may use., Copy it.]
translations:
  - en: Create a token that Onefold may use.
    de: Erzeugen Sie ein Token, das Onefold benutzen darf.
    ja: Onefold が使用できるトークンを作成します。
  - { en: Where the desk is., de: Die Adresse des Tisches., ja: デスクのアドレスです。 }
  - { en: The desk number, de: Nummer des Tisches, ja: デスク番号 }
  - { en: Small desks, de: Kleine Tische, ja: 小さなデスク }
  - { en: Read the tickets of a team, de: Die Tickets eines Teams lesen, ja: チームのチケットを読む }
configuration:
  required: [url, number, team, size]
  properties:
    url: { type: string, format: uri, description: Where the desk is. }
    number: { type: string, title: The desk number }
    team: { type: string, description: The team of new tickets. }
    size: { enum: [s, xl], x-enum-labels: { s: Small desks } }
credentials:
  credential: { token: { send: header, name: authorization, value: this.credential.secret } }
http: { base_url: this.config.url }
operations:
  ticketing_get_ticket:
    needs: Read the tickets of a team
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
`;

const texts = {
  de: {
    step: 'Erzeugen Sie ein Token, das Acme Desk benutzen darf.',
    hint: 'Die Adresse des Tisches.',
    label: 'Nummer des Tisches',
    sizes: ['Kleine Tische (s)', 'xl'],
    permission: 'Die Tickets eines Teams lesen',
  },
  ja: {
    step: 'Acme Desk が使用できるトークンを作成します。',
    hint: 'デスクのアドレスです。',
    label: 'デスク番号',
    sizes: ['小さなデスク (s)', 'xl'],
    permission: 'チームのチケットを読む',
  },
} as const;

/** The languages of the texts that a provider document has, in the Connect UI. */
export function providerLanguageSpecs(connect: ConnectUiStage): void {
  const { stage } = connect;
  beforeAll(() => stage.call('POST', '/v1/customs', { data: document }));

  it.each(Object.keys(texts) as (keyof typeof texts)[])(
    'shows the setup of a provider in its language (%s), and marks what is in English',
    async (locale) => {
      const { step, hint, label, sizes, permission } = texts[locale];
      const token = await connect.session({ providers: ['ticketing_harbour'], locale });
      const page = await connect.open(`session=${token}`, { width: 375 });
      await page.getByLabel(label).waitFor();
      await page.locator('.instructions > summary').click();
      await page.locator('.instructions').getByText(step).waitFor();
      const marked = (selector: string) =>
        page.evaluate<unknown>(
          `[...document.querySelectorAll('${selector}')].map((one) => [one.lang, one.textContent])`,
        );
      expect(await marked('.instructions li')).toEqual([
        [locale, step],
        ['en', 'Copy it.'],
        [locale, permission],
      ]);
      expect(await marked('.hint > span[lang]')).toEqual([
        [locale, hint],
        ['en', 'The team of new tickets.'],
      ]);
      const options = page.locator('select').filter({ hasText: 'xl' }).locator('option');
      expect((await options.allTextContents()).slice(1)).toEqual(sizes);
      const wider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await page.evaluate(wider)).toBe(false);
      await stage.tab.expectAccessible(`setup in ${locale}`);
    },
  );

  it('shows all of it in English to those who read English', async () => {
    const token = await connect.session({ providers: ['ticketing_harbour'], locale: 'en' });
    const page = await connect.open(`session=${token}`);
    await page.getByText('Create a token that Acme Desk may use.').waitFor();
    await page.getByLabel('The desk number').waitFor();
    await page.getByText('Where the desk is.').waitFor();
  });
}
