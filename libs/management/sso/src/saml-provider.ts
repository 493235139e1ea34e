import { createHash } from 'node:crypto';
import {
  generateServiceProviderMetadata,
  SAML,
  type SamlConfig,
  ValidateInResponseTo,
} from '@node-saml/node-saml';
import type { Addresses } from './addresses.js';
import { emailNameId, type SamlSettings } from './configuration-settings.js';
import type { Identity } from './identity.js';
import type { PublishedCertificates } from './published-certificates.js';
import { refused } from './refusals.js';
import { readAssertion } from './saml-assertion.js';
import { readResponse, type SamlResponse } from './saml-response.js';

/** How far the clocks of identity provider and service may be apart. */
const clockSkewMs = 60_000;

/** A SAML 2.0 identity provider, asked by redirect and answered by POST. */
export class SamlProvider {
  constructor(
    private readonly settings: SamlSettings,
    private readonly acsUrl: string,
    private readonly published: Pick<PublishedCertificates, 'of'>,
  ) {}

  /** Where the browser is sent to. @param signOn names the sign-on in the answer. */
  async begin(signOn: string): Promise<string> {
    const library = this.library({ generateUniqueId: () => requestId(signOn) });
    return await library.getAuthorizeUrlAsync(signOn, undefined, {});
  }

  /** Who signed on, by the answer that came to our address. @throws ApiError 403 */
  async answer(base64: string, signOn: string, now: number): Promise<Identity> {
    const response = readResponse(base64);
    this.checkAddressed(response, signOn);
    const assertion = await this.signedAssertion(response);
    return readAssertion(assertion, {
      issuer: this.settings.idp_entity_id,
      acsUrl: this.acsUrl,
      requestId: requestId(signOn),
      now,
      clockSkewMs,
    });
  }

  private checkAddressed(response: SamlResponse, signOn: string): void {
    const { destination, inResponseTo, issuer, signed } = response;
    if (destination === null ? signed.response : destination !== this.acsUrl)
      throw refused('it is addressed to somebody else');
    if (inResponseTo !== requestId(signOn)) throw refused('it answers another sign-on');
    if (issuer !== null && issuer !== this.settings.idp_entity_id)
      throw refused('it is issued by somebody else');
  }

  /** The assertion out of the bytes that a valid signature covers, by a key we know or one that is published since. */
  private async signedAssertion(response: SamlResponse): Promise<Record<string, unknown>> {
    const { idp_certificates: known, idp_metadata_url: url, idp_entity_id: id } = this.settings;
    try {
      return await this.verify(response, known);
    } catch (error) {
      const published = url === null ? [] : await this.published.of(url, id);
      const next = published.filter((one) => !known.includes(one));
      if (next.length === 0) throw error;
      return await this.verify(response, next);
    }
  }

  /** Checks signatures, audience and times. */
  private async verify(
    { base64, signed }: SamlResponse,
    certificates: string[],
  ): Promise<Record<string, unknown>> {
    try {
      const library = this.library({
        idpCert: certificates,
        wantAuthnResponseSigned: signed.response,
        wantAssertionsSigned: signed.assertion,
      });
      const { profile } = await library.validatePostResponseAsync({ SAMLResponse: base64 });
      const assertion = profile?.getAssertion?.()['Assertion'];
      if (typeof assertion === 'object' && assertion !== null)
        return assertion as Record<string, unknown>;
    } catch (error) {
      const why = error instanceof TypeError || !(error instanceof Error) ? '' : error.message;
      throw refused(why.slice(0, 200) || 'it lacks what a SAML response has', error);
    }
    throw refused('it holds no assertion');
  }

  private library(more: Partial<SamlConfig>): SAML {
    const { settings } = this;
    return new SAML({
      entryPoint: settings.idp_sso_url,
      issuer: settings.sp_entity_id,
      audience: settings.sp_entity_id,
      callbackUrl: this.acsUrl,
      idpCert: settings.idp_certificates,
      identifierFormat: settings.name_id_format,
      disableRequestedAuthnContext: true,
      acceptedClockSkewMs: clockSkewMs,
      // Answers belong to one sign-on that is open: sign-ons are kept in the database, not in this object.
      validateInResponseTo: ValidateInResponseTo.never,
      ...more,
    });
  }
}

/** The metadata by which an administrator makes this service known to an identity provider. */
export function serviceProviderMetadata({ spEntityId, acsUrl }: Addresses): string {
  return generateServiceProviderMetadata({
    issuer: spEntityId,
    callbackUrl: acsUrl,
    identifierFormat: emailNameId,
    wantAssertionsSigned: true,
    // The library would make a new one for each answer; a document that stays the same has the same.
    generateUniqueId: () => `_${createHash('sha256').update(spEntityId).digest('hex')}`,
  });
}

/** The id of the request of a sign-on; an XML id must not begin with a digit. */
function requestId(signOn: string): string {
  return `_${signOn}`;
}
