import { describe, expect, it } from '@jest/globals';
import { showProvider } from './show-provider.js';

describe('a provider that is shown', () => {
  it('has the fields of its configuration, and the kinds of its credentials', () => {
    expect(showProvider('ticketing_zendesk')).toBe(
      [
        'ticketing_zendesk: provider_config as the contract has it',
        '',
        '  credential  credential: basic (required)',
        '  url         string (required)',
        '',
      ].join('\n'),
    );
    expect(showProvider('assets_servicenow')).toMatch(
      / {2}credential +credential: basic or o_auth_client or token/,
    );
  });

  it('is one of the contract', () => {
    expect(showProvider('ticketing_zendsk')).toBeUndefined();
  });
});
