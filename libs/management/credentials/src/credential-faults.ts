import type { Fault } from '#contract';
import { addressFault } from '#management/core';
import { certificateFaults } from './certificate-faults.js';
import { roleFaults } from './role-faults.js';

/** Control characters, including line breaks: headers and Basic authentication (RFC 7617) cannot contain them. */
// eslint-disable-next-line no-control-regex -- the characters to refuse
const controlCharacters = /[\u0000-\u001f\u007f]/;
/** A secret may be a key file, which has several lines. */
// eslint-disable-next-line no-control-regex -- the characters to refuse
const brokenSecret = /^\s|\s$|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/** A header holds Latin-1 (RFC 9110, 5.5). */
// eslint-disable-next-line no-control-regex -- a range
const beyondLatin1 = /[^\u0000-\u00ff]/;

/**
 * Finds faults that make a credential unusable for every provider, so that it is refused before it is stored.
 * @param pointer place of the configuration in the body
 * @param owner id of the account that the credential is for, or of the organization
 */
export function credentialFaults(
  config: { type: string } & Record<string, unknown>,
  pointer: string,
  { awsRoles, owner }: { awsRoles: boolean; owner: string },
): Fault[] {
  const { type } = config;
  if (type === 'tls_certificate') return certificateFaults(config, pointer);
  if (type === 'aws_role') return awsRoles ? roleFaults(config, pointer, owner) : noRoles(pointer);
  return Object.entries(config).flatMap(([name, value]) => {
    if (name === 'extra') return extraFaults(value, `${pointer}/extra`);
    if (typeof value !== 'string') return [];
    const at = `${pointer}/${name}`;
    const broken = type === 'secret' ? brokenSecret : controlCharacters;
    if (broken.test(value))
      return fault(
        at,
        'contains a line break or another control character',
        'Paste it again without line breaks.',
      );
    if (type === 'token' && beyondLatin1.test(value))
      return fault(
        at,
        'contains a character that is not allowed in headers',
        'Paste it again as the provider shows it.',
      );
    return name === 'token_url' ? (addressFault(value, at) ?? []) : [];
  });
}

/** Addresses of an application at a provider: browsers are sent to one of them, so it must be no script. */
function extraFaults(extra: unknown, pointer: string): Fault[] {
  const given = Object(extra) as Record<string, unknown>;
  return ['authorize_url', 'revoke_url'].flatMap((name) => {
    const value = given[name];
    const at = `${pointer}/${name}`;
    return typeof value === 'string' ? (addressFault(value, at) ?? []) : [];
  });
}

function noRoles(pointer: string): Fault[] {
  return [
    fault(
      `${pointer}/type`,
      'is not allowed: this installation cannot assume AWS roles',
      'Use an access key (type aws). An operator can switch roles on with AWS_ROLES.',
    ),
  ];
}

/** The value is a secret, so the fault does not repeat it. */
function fault(pointer: string, message: string, remediation: string): Fault {
  return { location: 'body', pointer, message, remediation };
}
