import { describe, expect, it } from '@jest/globals';
import { credentialSlots, fillSlots } from './credential-slots.js';

describe('the credential slots of a provider configuration', () => {
  it('are found at the top and inside nested blocks, inline or stored', () => {
    const slots = credentialSlots({
      type: 'sink_http_receiver',
      url: 'https://receiver.example.com',
      signing_credential: { type: 'secret_id', value: 'crd_1' },
      authorization: {
        type: 'basic_config',
        credential: { type: 'basic', username: 'ann', secret: 's3cret' },
      },
    });
    expect(slots).toEqual([
      {
        kind: 'stored',
        path: ['signing_credential'],
        twin: 'secret_id',
        credentialType: 'secret',
        reference: 'crd_1',
      },
      {
        kind: 'inline',
        path: ['authorization', 'credential'],
        twin: 'basic_id',
        credentialType: 'basic',
        config: { type: 'basic', username: 'ann', secret: 's3cret' },
      },
    ]);
  });

  it('store the secret part of a webhook address as a secret under its own type', () => {
    const [slot] = credentialSlots({
      type: 'chat_slack',
      credential: { type: 'webhook_url', secret: 'https://hooks.example.com/T0/B0/x' },
    });
    expect(slot).toMatchObject({
      credentialType: 'secret',
      twin: 'webhook_url_id',
      config: { type: 'secret', secret: 'https://hooks.example.com/T0/B0/x' },
    });
  });

  it('are not found where only the end of a type matches or the provider itself has a type', () => {
    expect(
      credentialSlots({
        type: 'basic',
        events: { type: 'cloudtrail_lake', event_data_store_id: 'x' },
        other: { type: 'project_id', value: 'p' },
        broken: { type: 'basic_id' },
      }),
    ).toEqual([]);
  });

  it('are not looked for inside a secret', () => {
    const slots = credentialSlots({
      credential: {
        type: 'o_auth_client',
        client_id: 'a',
        client_secret: 'b',
        extra: { inner: { type: 'token', secret: 'c' } },
      },
    });
    expect(slots).toHaveLength(1);
  });

  it('are filled with references to stored credentials in a copy', () => {
    const config = {
      type: 'assets_example',
      credential: { type: 'token', secret: 'before' },
      options: { signer: { type: 'secret', secret: 'before' } },
    };
    const slots = credentialSlots(config);
    const filled = fillSlots(
      config,
      slots.map((slot, index) => ({ slot, id: `crd_${index}` })),
    );
    expect(filled).toEqual({
      type: 'assets_example',
      credential: { type: 'token_id', value: 'crd_0' },
      options: { signer: { type: 'secret_id', value: 'crd_1' } },
    });
    expect(config.credential.secret).toBe('before');
  });
});
