import { beginsWithId } from '#config';
import type { Fault } from '#contract';

/**
 * Rules of the parameters of AssumeRole, by the API reference of AWS STS: RoleSessionName 2 to 64 of [\w+=,.@-], ExternalId 2 to 1224 of
 * [\w+=,.@:\/-], DurationSeconds 900 to 43200 (https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html). A role has a
 * path of any printable ASCII, at most 512 with its slashes, and a name of 1 to 64 of [\w+=,.@-]
 * (https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html).
 */
const texts: Readonly<Record<string, { rule: RegExp; hint: string }>> = {
  role_arn: {
    rule: /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/(?:[\x21-\x7e]{1,510}\/)?[\w+=,.@-]{1,64}$/,
    hint: 'Send it as AWS shows it: arn:aws:iam::123456789012:role/name.',
  },
  external_id: {
    rule: /^[\w+=,.@:/-]{2,1224}$/,
    hint: 'It has 2 to 1224 letters, digits and characters of _+=,.@:/-.',
  },
  role_session_name: {
    rule: /^[\w+=,.@-]{2,64}$/,
    hint: 'It has 2 to 64 letters, digits and characters of _+=,.@-.',
  },
};
const minSeconds = 900;
const maxSeconds = 43_200;

/**
 * Finds the fields of a role to assume that AWS would refuse, or that would let others use the role.
 * @param owner id of the account that the credential is for, or of the organization
 */
export function roleFaults(
  config: Record<string, unknown>,
  pointer: string,
  owner: string,
): Fault[] {
  const faults = Object.entries(texts).flatMap(([name, { rule, hint }]): Fault[] => {
    const value = config[name];
    if (typeof value !== 'string') return [];
    const at = { location: 'body' as const, pointer: `${pointer}/${name}` };
    if (!rule.test(value))
      return [{ ...at, message: 'is not a valid value of AWS STS', remediation: hint }];
    // An external id that another account could name as well would let that account use the role.
    if (name === 'external_id' && !beginsWithId(value, owner))
      return [
        {
          ...at,
          message: 'must begin with the id of its account',
          remediation: `Use ${owner}, or a text that begins with ${owner}:, here and in the trust policy of the role.`,
        },
      ];
    return [];
  });
  const { duration } = config;
  if (typeof duration !== 'number' || (duration >= minSeconds && duration <= maxSeconds))
    return faults;
  return [
    ...faults,
    {
      location: 'body',
      pointer: `${pointer}/duration`,
      message: `must be between ${minSeconds} and ${maxSeconds} seconds`,
      remediation: 'A session lasts at most as long as the role allows, an hour unless it says so.',
    },
  ];
}
