import { describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';

const secret = 'correct horse battery';

/** Roles, members and their sessions: created, used, changed, deleted. */
export function identityWalk(onefold: () => Onefold): void {
  const api = (): Client => onefold().api;
  const organizationId = async () => (await api().call('organization_get')).result.id;
  const session = async (name: string, password = secret) =>
    (
      await api()
        .as(undefined)
        .call('auth_logon', {
          path: { organizationId: await organizationId() },
          body: { name, secret: password },
        })
    ).result;

  describe('permission sets', () => {
    it('are listed and read', async () => {
      const { result } = await api().call('permissionset_list');
      expect(result.map(({ name }) => name)).toContain('connect-ui');
      const path = { permissionsetId: 'viewer' as const };
      const viewer = await api().call('permissionset_get', { path });
      expect(viewer.result.permissions).toEqual({ all: { actions: ['read'] } });
    });
  });

  describe('roles and members', () => {
    it('let an operator of labelled accounts log on, and see those alone', async () => {
      const { result: role } = await api().call('roles_create', {
        body: {
          name: 'walk-emea',
          permission_set: 'account-manager',
          resources: { accounts: { ids: ['*'], labels: ['walk-emea'] } },
        },
      });
      const { member } = (
        await api().call('members_create', {
          body: { name: 'walk@example.com', secret, role_binding: [role.name] },
        })
      ).result;
      for (const label of ['walk-emea', 'walk-us'])
        await api().call('accounts_create', { body: { name: label, labels: [label] } });
      const { token } = await session(member.name);
      const operator = api().as(token.access.secret);
      const listed = await operator.call('accounts_list', { query: { total: true } });
      expect(listed).toMatchObject({ result: [{ name: 'walk-emea' }], total: 1 });
      await operator.refuse('accounts_get', 404, { path: { accountId: 'walk-us' } });
      await operator.refuse('roles_list', 403);
      await operator.call('auth_logoff');
      await eventually(() => operator.refuse('accounts_list', 401));
    });

    it('are changed, listed and deleted', async () => {
      const { member } = (
        await api().call('members_create', {
          body: { name: 'walk-service', secret, type: 'service' },
        })
      ).result;
      const path = { memberId: member.id };
      await api().call('members_update', { path, body: { ...member, nickname: 'Walker' } });
      const patched = await api().call('members_patch', {
        path,
        body: [{ op: 'replace', path: '/role_binding', value: ['viewer'] }],
      });
      expect(patched.result).toMatchObject({ nickname: 'Walker', role_binding: ['viewer'] });
      const query = { filter: ['type[eq]service', 'name[like]walk-%'] };
      const listed = await api().call('members_list', { query });
      expect(listed.result).toEqual([patched.result]);
      expect((await api().call('members_get', { path })).result).toEqual(patched.result);
      await api().call('members_delete', { path });
      await api().refuse('members_get', 404, { path });

      const { result: role } = await api().call('roles_create', {
        body: { fullname: 'Walk, changed', permission_set: 'viewer' },
      });
      const rolePath = { roleId: role.id };
      await api().call('roles_update', { path: rolePath, body: { ...role, description: 'd' } });
      await api().call('roles_patch', {
        path: rolePath,
        body: [{ op: 'replace', path: '/permission_set', value: 'member' }],
      });
      const { result } = await api().call('roles_get', { path: rolePath });
      expect(result).toMatchObject({ description: 'd', permission_set: 'member' });
      const roles = await api().call('roles_list', { query: { filter: [`id[eq]${role.id}`] } });
      expect(roles.result).toEqual([result]);
      await api().call('roles_delete', { path: rolePath });
      await api().refuse('roles_get', 404, { path: rolePath });
    });

    it('let an invited member choose a password first', async () => {
      await api().call('members_create', {
        body: { name: 'invited@example.com', secret, options: { options: ['invited'] } },
      });
      const invited = await session('invited@example.com');
      expect(invited.auth_code).toBe('invited');
      const guest = api().as(invited.token.access.secret);
      await guest.refuse('accounts_list', 403);
      await guest.call('auth_change_password', {
        body: { old_secret: secret, new_secret: 'a password of my own' },
      });
      await eventually(() => guest.call('accounts_list'));
      const again = await session('invited@example.com', 'a password of my own');
      expect(again.auth_code).toBe('success');
      await api()
        .as(undefined)
        .refuse('auth_logon', 401, {
          path: { organizationId: await organizationId() },
          body: { name: 'invited@example.com', secret },
        });
    });
  });
}
