import { expect, it } from '@jest/globals';
import { describeFault } from '@onefold/mapping';
import { secretProperties } from './secret-properties.js';

const text = `configuration:
  properties:
    url: { type: string }
    token_url: { type: string }
    use_token: { type: boolean }
    api_token: { type: string, description: Of the account. }
providers:
  siem_acme:
    configuration: { properties: { Password: {} } }
`;

/** "`check` warns of secrets in `configuration`." */
it('properties that look like secrets are named with their places', () => {
  const shown = secretProperties(text).map((fault) => describeFault(fault, text));
  expect(shown).toHaveLength(2);
  expect(shown[0]).toContain('line 6, column 5: api_token looks like a secret');
  expect(shown[0]).toContain('Declare it under credentials');
  expect(shown[1]).toContain('line 9, column 36: Password looks like a secret');
});
