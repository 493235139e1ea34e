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
import { findSigners } from './saml-signature.js';
import { readResponse, type SamlResponse } from './saml-response.js';

/** Maximum difference between the clocks of identity provider and service. */
const clockSkewMs = 60_000;

/** Signs on through a SAML 2.0 identity provider: request by redirect, response by POST. */
export class SamlProvider {
  constructor(
    private readonly settings: SamlSettings,
    private readonly acsUrl: string,
    private readonly published: Pick<PublishedCertificates, 'of'>,
  ) {}

  /** Returns the address to redirect the browser to. @param signOn identifies the sign-on in the response */
  async begin(signOn: string): Promise<string> {
    const library = this.library({ generateUniqueId: () => requestId(signOn) });
    return await library.getAuthorizeUrlAsync(signOn, undefined, {});
  }

  /** Returns the identity of the response that came to our address. @throws ApiError 403 */
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
      throw refused('it is for another address');
    if (inResponseTo !== requestId(signOn)) throw refused('it is for another sign-on');
    if (issuer !== null && issuer !== this.settings.idp_entity_id)
      throw refused('it has another issuer');
  }

  /** Returns the assertion from the bytes that a valid signature covers, by a stored key or a newly published one. */
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
    { base64, signed, signatures }: SamlResponse,
    certificates: string[],
  ): Promise<Record<string, unknown>> {
    const signers = findSigners(signatures, certificates);
    try {
      const library = this.library({
        idpCert: signers,
        wantAuthnResponseSigned: signed.response,
        wantAssertionsSigned: signed.assertion,
      });
      const { profile } = await library.validatePostResponseAsync({ SAMLResponse: base64 });
      const assertion = profile?.getAssertion?.()['Assertion'];
      if (typeof assertion === 'object' && assertion !== null)
        return assertion as Record<string, unknown>;
    } catch (error) {
      const why = error instanceof TypeError || !(error instanceof Error) ? '' : error.message;
      throw refused(why.slice(0, 200) || 'a required part of a SAML response is missing', error);
    }
    throw refused('it contains no assertion');
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
      // Open sign-ons are stored in the database, not in this object.
      validateInResponseTo: ValidateInResponseTo.never,
      ...more,
    });
  }
}

/** Returns the metadata by which an administrator registers this service with an identity provider. */
export function serviceProviderMetadata({ spEntityId, acsUrl }: Addresses): string {
  return generateServiceProviderMetadata({
    issuer: spEntityId,
    callbackUrl: acsUrl,
    identifierFormat: emailNameId,
    wantAssertionsSigned: true,
    // The library would generate an id for each response; a constant id keeps the document the same.
    generateUniqueId: () => `_${createHash('sha256').update(spEntityId).digest('hex')}`,
  });
}

/** Returns the id of the request of a sign-on; an XML id must not begin with a digit. */
function requestId(signOn: string): string {
  return `_${signOn}`;
}
