import { sentence } from './sentence.js';

/** Screens on which people do what a request below this path does. */
const screens: readonly (readonly [path: string, name: string])[] = [
  ['/v1/accounts', 'the screen “Accounts”'],
  ['/v1/audit', 'the screen “Audit”'],
  ['/v1/capabilities/providers', 'the screen “Providers”'],
  ['/v1/credentials', 'the page of the integration'],
  ['/v1/customs', 'the screen “Custom providers”'],
  ['/v1/integrations', 'the screen “Integrations”'],
  ['/v1/mappings', 'the mapping studio'],
  ['/v1/members', 'the screen “Members and roles”'],
  ['/v1/roles', 'the screen “Members and roles”'],
  ['/v1/organization/webhooks', 'the screen “Webhooks”'],
  ['/v1/organization', 'the screen “Settings”'],
  ['/v1/jobs', 'the screen “Jobs”'],
  ['/v1/tokens', 'the screen “Tokens”'],
];
const request = /\b(?:GET|POST|PUT|PATCH|DELETE) (\/v1\/[^\s,;)]*[^\s,;).:])/g;

/**
 * The remedy of a problem for people who have the console at hand and no API: a request is named by the screen that sends it, or by the
 * explorer, which sends any.
 */
export function remedyForPeople(remediation: string): string {
  const text = remediation.replaceAll(request, (whole, path: string) => {
    const screen = screens.find(([start]) => path === start || path.startsWith(`${start}/`));
    return screen?.[1] ?? `the explorer (${whole})`;
  });
  return text === remediation ? text : sentence(text);
}
