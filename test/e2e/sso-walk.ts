import { describe, expect, it } from '@jest/globals';
import type { Result } from '#contract';
import { Browser, type Page } from '../api/identity-providers/browser.js';
import { startOpenidProvider } from '../api/identity-providers/openid-provider.js';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';

/** Single sign-on: configured, and used in a browser. */
export function ssoWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;

  describe('configurations', () => {
    it('are created, changed under their lock and deleted, and show no secret', async () => {
      const metadata = (await api().call('auth_get_sso_metadata')).result;
      expect(metadata.oidc?.redirect_uri).toMatch(/^http.+\/oidc\/callback$/);
      const config = {
        type: 'oidc' as const,
        issuer_url: 'https://id.example.com',
        client_id: 'onefold',
        client_secret: 'walk-sso-canary',
      };
      const body = { fullname: 'Walk Identity', config };
      const created = await api().send<Result<'auth_create_sso'>>('auth_create_sso', { body });
      expect(created).toMatchObject({ status: 200, body: { result: { name: 'walk-identity' } } });
      expect(created.text).not.toContain('walk-sso-canary');
      const { id: ssoId, updated_at } = created.body.result;
      const update = {
        fullname: 'Renamed',
        config: { type: 'oidc' as const, issuer_url: config.issuer_url, client_id: 'other' },
        updated_at,
      };
      const { result } = await api().call('auth_update_sso', { path: { ssoId }, body: update });
      expect(result.identity_provider).toMatchObject({ client_id: 'other' });
      await api().refuse('auth_update_sso', 409, { path: { ssoId }, body: update });
      expect((await api().call('auth_get_sso', { path: { ssoId } })).result).toEqual(result);
      expect((await api().call('auth_list_sso')).result).toContainEqual(result);
      await api().call('auth_delete_sso', { path: { ssoId } });
      await api().refuse('auth_get_sso', 404, { path: { ssoId } });
    });
  });

  describe('a sign-on', () => {
    /**
     * Runs work with a provider on loopback that the organization has configured, and the start address of its
     * sign-ons.
     */
    async function withProvider(name: string, work: (start: string) => Promise<void>) {
      const { oidc } = (await api().call('auth_get_sso_metadata')).result;
      const email = `${name}@example.test`;
      const provider = await startOpenidProvider(oidc?.redirect_uri ?? '', () => ({ email }));
      try {
        await api().call('members_create', {
          body: { name: email, secret: 'nobody knows it', role_binding: ['viewer'] },
        });
        const config = { type: 'oidc' as const, issuer_url: provider.issuer, ...provider.client };
        const { id } = (await api().call('auth_create_sso', { body: { fullname: name, config } }))
          .result;
        const organization = (await api().call('organization_get')).result;
        // The public address for browsers, which differs from the address that processes use.
        const { origin } = new URL(oidc?.redirect_uri ?? '');
        await work(`${origin}/sso/${organization.id}/start/${id}`);
        await api().call('auth_delete_sso', { path: { ssoId: id } });
      } finally {
        await provider.stop();
      }
    }
    const logOn = async (browser: Browser, page: Page, stopAt?: string) => {
      const consent = await browser.submit(page, { login: 'somebody', password: 'x' }, stopAt);
      return await browser.submit(consent, {}, stopAt);
    };
    const sessionOf = ({ status, text, url }: Page) => {
      if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
      return JSON.parse(text) as Result<'auth_logon'>;
    };

    it('begins in the browser, goes to the identity provider, and ends in a session', async () => {
      await withProvider('walk-sign-on', async (start) => {
        const browser = new Browser();
        const { result } = sessionOf(await logOn(browser, await browser.visit(start)));
        expect(result.member.name).toBe('walk-sign-on@example.test');
        const session = api().as(result.token.access.secret);
        await session.call('accounts_list');
        await session.refuse('accounts_create', 403, { body: {} });
        await session.call('auth_logoff');
      });
    });

    it('goes on where the service has been replaced since it began', async () => {
      const { processes, startAnother } = onefold();
      const { management } = processes;
      if (!management || !startAnother) return; // There is only one process.
      await withProvider('walk-replaced', async (start) => {
        const browser = new Browser();
        const page = await browser.visit(start);
        const next = startAnother('management');
        await next.says(/"message":"ready"/);
        processes['management'] = next;
        await management.stop();
        const { result } = sessionOf(await logOn(browser, page));
        expect(result.member.name).toBe('walk-replaced@example.test');
      });
    });
  });
}
