import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, formOf, type Page } from './identity-providers/browser.js';
import { selfSigned } from './identity-providers/certificate.js';
import { refusedAnswer, said } from './identity-providers/last-page.js';
import { encode } from './identity-providers/saml-answers.js';
import { SigningIdp } from './identity-providers/signing-idp.js';
import {
  type SimpleSamlPhp,
  startSimpleSamlPhp,
  whyNoSimpleSamlPhp,
} from './identity-providers/simplesamlphp.js';
import { addMember } from './members.js';
import { type Service, startService } from './service.js';

const why = whyNoSimpleSamlPhp();
const title = 'single sign-on by SimpleSAMLphp';
(why === undefined ? describe : describe.skip)(why ? `${title} (skipped: ${why})` : title, () => {
  let service: Service;
  let idp: SigningIdp;
  const stranger = selfSigned();
  beforeAll(async () => {
    service = await startService();
    idp = await new SigningIdp(service).meet();
    await addMember(service, 'alice@example.test');
  });
  afterAll(() => service.stop());

  describe.each(['response', 'assertion'] as const)('that signs the %s', (what) => {
    let simple: SimpleSamlPhp;
    let start: string;
    beforeAll(async () => {
      const { acs_url: acsUrl, sp_entity_id: spEntityId } = idp.addresses;
      simple = await startSimpleSamlPhp({ spEntityId, acsUrl }, what);
      ({ start } = await idp.configure({
        idp_entity_id: simple.entityId,
        idp_sso_url: simple.ssoUrl,
        idp_certificate: simple.certificate,
      }));
    });
    afterAll(() => simple?.stop());

    /** Logs on at the identity provider. @returns the page that posts the response to us */
    async function logOn(browser: Browser, from = start): Promise<Page> {
      const logon = await browser.visit(from);
      return await browser.submit(logon, { username: 'alice', password: 'alicepw' });
    }

    it('signs a member in', async () => {
      const browser = new Browser();
      const page = await browser.submit(await logOn(browser));
      expect(said(page)).toMatchObject({
        status: 200,
        result: { member: { name: 'alice@example.test' } },
      });
    });

    it('is believed by a certificate it has published since, and by no other address', async () => {
      const of = (idp_metadata_url: string) =>
        idp.configure({
          idp_entity_id: simple.entityId,
          idp_sso_url: simple.ssoUrl,
          idp_certificate: stranger.certificate,
          idp_metadata_url,
        });
      const signOn = async (from: string) => {
        const browser = new Browser();
        return said(await browser.submit(await logOn(browser, from)));
      };
      expect(await signOn((await of(simple.metadataUrl)).start)).toMatchObject({ status: 200 });
      const nowhere = simple.metadataUrl.replace('metadata.php', 'nothing.php');
      expect(await signOn((await of(nowhere)).start)).toEqual(refusedAnswer);
    });

    it('refuses its answer when it was tampered with or comes twice', async () => {
      const browser = new Browser();
      const answer = await logOn(browser);
      const xml = Buffer.from(formOf(answer).fields['SAMLResponse'] ?? '', 'base64').toString();
      expect(xml).toContain('alice@example.test');
      const tampered = encode(xml.replaceAll('alice@', 'bob@'));
      expect(said(await browser.submit(answer, { SAMLResponse: tampered }))).toMatchObject(
        refusedAnswer,
      );
      expect(said(await browser.submit(answer)).status).toBe(200);
      expect(said(await browser.submit(answer)).status).toBe(403);
    });
  });
});
