/** The addresses of an organization's sign-ons, as browsers and identity providers reach them. */
export interface Addresses {
  /** Where the identity provider of OpenID Connect sends the browser back to. */
  redirectUri: string;
  /** Where the identity provider of SAML sends its answer to. */
  acsUrl: string;
  /** Names this service to a SAML identity provider, and is where its metadata are. */
  spEntityId: string;
  /** Where a sign-on is finished in the browser that began it. */
  finish: string;
}

/**
 * Every organization has addresses of its own: an identity provider of one can never have its answers, or those it was given by
 * another provider, taken for a sign-on of another organization.
 */
export function addressesOf(publicUrl: string, organizationId: string): Addresses {
  const base = `${publicUrl.replace(/\/+$/, '')}/sso/${organizationId}`;
  return {
    redirectUri: `${base}/oidc/callback`,
    acsUrl: `${base}/saml/acs`,
    spEntityId: `${base}/saml/metadata`,
    finish: `${base}/finish`,
  };
}

/** True for addresses at which cookies and answers travel encrypted. */
export function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
