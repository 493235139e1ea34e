/** Addresses of an organization's sign-ons, for browsers and identity providers. */
export interface Addresses {
  /** Redirect address of OpenID Connect. */
  redirectUri: string;
  /** Address that SAML responses are posted to. */
  acsUrl: string;
  /** Entity id of this service, and address of its SAML metadata. */
  spEntityId: string;
  /** Address at which the browser that began a sign-on finishes it. */
  finish: string;
}

/**
 * Returns the addresses of an organization. Each organization has its own, so that a response for one organization
 * cannot be used for a sign-on of another.
 */
export function addressesOf(publicUrl: string, organizationId: string): Addresses {
  const base = `${publicUrl.replace(/(?<!\/)\/+$/, '')}/sso/${organizationId}`;
  return {
    redirectUri: `${base}/oidc/callback`,
    acsUrl: `${base}/saml/acs`,
    spEntityId: `${base}/saml/metadata`,
    finish: `${base}/finish`,
  };
}

/** True for addresses with TLS, which protects cookies and responses. */
export function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
