import type { Fault } from '#contract';

/** Rules of the parameters of AssumeRole, by the reference of AWS STS: pattern and lengths of each text. */
const texts: Readonly<Record<string, { rule: RegExp; hint: string }>> = {
  role_arn: {
    rule: /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/,
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

/** Finds the fields of a role to assume that AWS would refuse. */
export function roleFaults(config: Record<string, unknown>, pointer: string): Fault[] {
  const faults = Object.entries(texts).flatMap(([name, { rule, hint }]): Fault[] => {
    const value = config[name];
    if (typeof value !== 'string' || rule.test(value)) return [];
    const message = 'is not a valid value of AWS STS';
    return [{ location: 'body', pointer: `${pointer}/${name}`, message, remediation: hint }];
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
