import type { Result } from '#contract';
import type { Service } from '../service.js';
import { Browser, type Page } from './browser.js';
import { selfSigned } from './certificate.js';
import { said, type Said } from './last-page.js';
import {
  type AuthnRequest,
  encode,
  type Parts,
  readAuthnRequest,
  responseXml,
  rightParts,
  sign,
} from './saml-answers.js';

/** A browser that was redirected to the identity provider, and the request. */
export interface Begun {
  browser: Browser;
  request: AuthnRequest;
}

/** SAML identity provider inside the spec: it signs any response. */
export class SigningIdp {
  readonly entityId = 'https://idp.example.com/entity';
  readonly keys = selfSigned();
  addresses = { acs_url: '', sp_entity_id: '' };

  constructor(private readonly service: Service) {}

  /** Requests the addresses of the service. */
  async meet(): Promise<this> {
    const { result } = await this.service.call('GET', '/v1/auth/meta');
    this.addresses = (result as Result<'auth_get_sso_metadata'>['result']).saml ?? this.addresses;
    return this;
  }

  /** Adds the identity provider to the service. @returns the address where sign-ons through it start, and its id */
  async configure(more: object = {}, owner = this.service.administrator) {
    const config = {
      type: 'saml',
      idp_entity_id: this.entityId,
      idp_sso_url: 'https://idp.example.com/sso',
      idp_certificate: this.keys.certificate,
      sp_entity_id: this.addresses.sp_entity_id,
      ...more,
    };
    const body = { fullname: 'Idp', config };
    const { result, message } = await this.service.call('POST', '/v1/auth/sso', body, owner.access);
    if (result['id'] === undefined) throw new Error(message);
    const id = String(result['id']);
    return { id, start: `${this.service.url}/sso/${owner.organizationId}/start/${id}` };
  }

  async begin(start: string, browser = new Browser()): Promise<Begun> {
    const page = await browser.visit(start, 'SAMLRequest=');
    if (!page.url.includes('SAMLRequest='))
      throw new Error(`the sign-on did not begin: ${page.text}`);
    return { browser, request: readAuthnRequest(page.url) };
  }

  /** Returns the parts of the valid response for a person. */
  parts({ request }: Begun, email = 'alice@example.test'): Parts {
    return rightParts(request, this.entityId, email);
  }

  /** Returns the valid response for a person, signed. */
  response(begun: Begun, email?: string): string {
    return encode(sign(responseXml(this.parts(begun, email)), 'Assertion', this.keys));
  }

  /** Makes the browser post a response, as the page of an identity provider does. */
  async post({ browser, request }: Begun, response: string, stopAt?: string): Promise<Page> {
    const text = `<form method="post" action="${request.acsUrl}"><input name="SAMLResponse" value="${response}"/><input name="RelayState" value="${request.relayState}"/></form>`;
    const page = { url: 'https://idp.example.com/', status: 200, text, headers: new Headers() };
    return await browser.submit(page, {}, stopAt);
  }

  /** Runs a valid sign-on from start to end. */
  async signOn(start: string, email: string): Promise<Said> {
    const begun = await this.begin(start);
    return said(await this.post(begun, this.response(begun, email)));
  }
}
