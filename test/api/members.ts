import type { Service } from './service.js';

/** Adds a personal member who administers the organization. @returns the member's id */
export async function addMember(
  service: Service,
  email: string,
  more: object = {},
): Promise<string> {
  const body = {
    name: email,
    secret: 'a password nobody uses',
    role_binding: ['administrator'],
    ...more,
  };
  const { result, message } = await service.call('POST', '/v1/members', body);
  const { member } = result as { member?: { id: string } };
  if (member === undefined) throw new Error(`the member ${email} was not made: ${message}`);
  return member.id;
}
