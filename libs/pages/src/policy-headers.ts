interface Policy {
  /** Further origins that the page may send requests to, such as that of `PUBLIC_URL`. */
  origins?: readonly string[];
  /** True if clients reach the page by HTTPS only. */
  isHttps?: boolean | undefined;
  /** Origins of the pages that may frame it; nobody may if there are none. */
  framedBy?: readonly string[];
  /** Whether windows that the page opens may know it, as the consent pages of providers do. */
  hasPopups?: boolean;
}

/**
 * Headers of every answer with a page: scripts and styles come from this origin only, requests go to it, nobody else may frame it, and
 * no string becomes markup without a policy of Trusted Types.
 */
export function policyHeaders({
  origins = [],
  isHttps = false,
  framedBy = [],
  hasPopups = false,
}: Policy = {}): Record<string, string> {
  const isFramed = framedBy.length > 0;
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      ["connect-src 'self'", ...origins].join(' '),
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${isFramed ? framedBy.join(' ') : "'none'"}`,
      "require-trusted-types-for 'script'",
    ].join('; '),
    ...(isFramed ? {} : { 'x-frame-options': 'DENY' }), // it cannot name an origin
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy':
      'camera=(), clipboard-write=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': hasPopups ? 'same-origin-allow-popups' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** The policy of an image in place of that of pages: it has the styles that are in it, and runs nothing where somebody opens it alone. */
export const imagePolicy = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
};
