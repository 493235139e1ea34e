/**
 * Headers of every answer with a page: scripts and styles come from this origin only, requests go to it, nobody may frame it, and no
 * string becomes markup without a policy of Trusted Types.
 * @param origins further origins that the page may send requests to, such as that of `PUBLIC_URL`
 * @param isHttps true if clients reach the page by HTTPS only
 */
export function policyHeaders(
  origins: readonly string[] = [],
  isHttps = false,
): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      ["connect-src 'self'", ...origins].join(' '),
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy':
      'camera=(), clipboard-write=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
