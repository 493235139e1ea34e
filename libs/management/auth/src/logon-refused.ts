import { ApiError, type ManagementSchemas } from '#contract';

export type AuthCode = ManagementSchemas['AuthCode'];

const told: Record<Exclude<AuthCode, 'success'>, { message: string; remediation: string }> = {
  failure: {
    message: 'nobody of this name and password is a member of the organization',
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

/** A logon that does not happen: a 401 whose Problem has the auth code in its type, since the answer proper needs a token. */
export function logonRefused(code: Exclude<AuthCode, 'success'>): ApiError {
  const { message, remediation } = told[code];
  return new ApiError(401, message, { remediation, kind: `auth-${code}`, detail: code });
}
