import { describe, expect, it } from '@jest/globals';
import { ApiError, type VerificationCheck } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { documentCall, plainHttp } from './document-call.fixture.js';
import { documentProvider } from './document-provider.js';
import { served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

const provider = documentProvider(
  compileProvider(`
provider: custom_checks
version: 1.0.0
fullname: Checks
vendor: Tests
http:
  base_url: this.config.url
verify:
  - { path: /tickets, needs: tickets.read }
  - { path: /me, needs: tickets.write, passes: this.body.may.contains("write") }
  - { path: /comments, needs: comments.read }
operations:
  custom_query:
    steps: [{ path: /tickets }]
    rows: this.steps.call
`),
);

async function verify(
  url = served.url,
): Promise<{ checks: readonly VerificationCheck[] | undefined; error?: ApiError }> {
  const policy = new EgressPolicy(['127.0.0.1']);
  const dispatcher = createDispatcher(policy);
  const http = plainHttp({ dispatcher, policy });
  try {
    return { checks: await provider.verify?.(documentCall({ http, providerConfig: { url } })) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { checks: error.options.context?.checks ?? undefined, error };
  } finally {
    await dispatcher.destroy();
  }
}

describe('verification of a configuration', () => {
  it('lists each call with the permission it needs', async () => {
    served.handle = () => ({ may: ['write'] });
    expect(await verify()).toEqual({
      checks: ['tickets.read', 'tickets.write', 'comments.read'].map((needs) => ({
        needs,
        passed: true,
      })),
    });
    expect(served.asked).toEqual(['/tickets', '/me', '/comments']);
  });

  it('tells all missing permissions at once, and throws the first', async () => {
    served.handle = ({ pathname }, _request, response) => {
      if (pathname === '/comments') response.statusCode = 403;
      return { may: [] };
    };
    const { checks, error } = await verify();
    expect(checks).toEqual([
      { needs: 'tickets.read', passed: true },
      {
        needs: 'tickets.write',
        passed: false,
        message: 'Checks answers, but shows nothing that needs the permission "tickets.write"',
        remediation:
          'Grant the permission "tickets.write" at the provider to the owner of the credential.',
      },
      expect.objectContaining({
        needs: 'comments.read',
        passed: false,
        message: expect.stringContaining('Checks') as unknown,
      }),
    ]);
    expect(error?.status).toBe(400);
    expect(error?.message).toContain('"tickets.write"');
  });

  it.each([401, 429, 500])('does not go on when the provider answers %i', async (status) => {
    served.handle = (_url, _request, response) => {
      response.statusCode = status;
      return {};
    };
    const refused = [
      expect.objectContaining({ needs: 'tickets.read', passed: false }),
      { needs: 'tickets.write', passed: null },
      { needs: 'comments.read', passed: null },
    ];
    expect((await verify()).checks).toEqual(refused);
    expect(new Set(served.asked)).toEqual(new Set(['/tickets']));
  });

  it('does not go on when the provider cannot be reached', async () => {
    const { checks } = await verify('http://127.0.0.1:1');
    expect(checks?.map(({ passed }) => passed)).toEqual([false, null, null]);
  });
});
