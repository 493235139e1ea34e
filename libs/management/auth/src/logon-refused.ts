import { ApiError, type ManagementSchemas } from '#contract';

export type AuthCode = ManagementSchemas['AuthCode'];

const messages: Record<Exclude<AuthCode, 'success'>, { message: string; remediation: string }> = {
  failure: {
    message: 'invalid organization, name or password',
    remediation: 'Check the organization, the name and the password.',
  },
  disabled: {
    message: 'the member is disabled',
    remediation: 'Ask an administrator of the organization to enable the member.',
  },
  expired: {
    message: 'the member, or the invitation, has expired',
    remediation: 'Ask an administrator of the organization for a new invitation.',
  },
  invited: {
    message: 'the member has not accepted the invitation yet',
    remediation: 'Log on with the password of the invitation, and change it.',
  },
  locked: {
    message: 'the name is locked after too many failed logons',
    remediation: 'Wait a quarter of an hour, or ask an administrator to enable the member.',
  },
};

/**
 * Creates the error of a refused logon: a 401 whose Problem has the auth code in its type, because a successful
 * response needs a token.
 */
export function logonRefused(code: Exclude<AuthCode, 'success'>): ApiError {
  const { message, remediation } = messages[code];
  return new ApiError(401, message, { remediation, kind: `auth-${code}`, detail: code });
}
