import {
  IsArray,
  IsBoolean,
  IsInstance,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
} from './checks.js';
import { Secret } from '#secrets';
import { FromVariable } from './setting.js';

// Settings shared by configuration classes that have no common base class.

/** `EGRESS_ALLOW: string[]`, for processes that make outgoing calls. */
export const EgressAllow: PropertyDecorator = combine(
  FromVariable({
    variable: 'EGRESS_ALLOW',
    about:
      'Addresses and ranges that may be called although they are not public, such as `10.20.0.0/16`, for systems inside the company.',
  }),
  IsString({ each: true }),
);

/** `AUDIT_DAYS: number`, for processes that keep the audit trail. */
export const AuditDays: PropertyDecorator = combine(
  FromVariable({
    variable: 'AUDIT_DAYS',
    about: 'How many days records of the audit trail are kept; they are deleted in whole months.',
  }),
  IsInt(),
  Min(1),
  Max(36_500),
);

/** `CONCURRENT_TASKS: number`, for processes that run jobs. */
export const ConcurrentTasks: PropertyDecorator = combine(
  FromVariable({
    variable: 'CONCURRENT_TASKS',
    about: 'How many pages of jobs a worker runs at once.',
  }),
  IsInt(),
  Min(1),
  Max(1_000),
);

/** `CONCURRENT_DELIVERIES: number`, for processes that send deliveries. */
export const ConcurrentDeliveries: PropertyDecorator = combine(
  FromVariable({
    variable: 'CONCURRENT_DELIVERIES',
    about: 'To how many webhooks a worker sends at once, beside its pages of jobs.',
  }),
  IsInt(),
  Min(1),
  Max(1_000),
);

/** `WEBHOOK_SIGNATURE_HEADER?: string`, for processes that send signed events. */
export const WebhookSignatureHeader: PropertyDecorator = combine(
  FromVariable({
    variable: 'WEBHOOK_SIGNATURE_HEADER',
    about:
      'A further header with the signature `sha256=…` of what is sent to webhooks and HTTP sinks, under the name that existing receivers read (docs/existing-clients.md).',
    default: 'none; X-Onefold-Signature is always sent',
  }),
  IsOptional(),
  Matches(
    /^(?!(?:accept|authorization|connection|content-|cookie|expect|host$|te$|trailer|transfer-|upgrade|webhook-))[a-z][a-z0-9-]{0,99}$/i,
    {
      message:
        'signatureHeader must be a header name such as X-Acme-Signature that has no other meaning',
    },
  ),
);

/** `JOB_PAGE_RECORDS: number`, for processes that run jobs. */
export const JobPageRecords: PropertyDecorator = combine(
  FromVariable({
    variable: 'JOB_PAGE_RECORDS',
    about: 'How many records a job reads and writes at once; operations may allow fewer.',
  }),
  IsInt(),
  Min(1),
  Max(1_000),
);

/** `MAPPING_BUDGETS: string[]`, for processes that run mappings. */
export const MappingBudgets: PropertyDecorator = combine(
  FromVariable({
    variable: 'MAPPING_BUDGETS',
    about:
      'Percentages of the limits of mapping runs, by integration, account or organization id, or `*`: `*:50,int_…:10` (docs/limits.md).',
  }),
  Matches(/^(?:\*|[A-Za-z0-9_-]+):(?:100|[1-9]\d?)$/, {
    each: true,
    message: 'mappingBudgets must be a list of id:percentage, with a percentage from 1 to 100',
  }),
);

/** `MOCKS: boolean`, for processes that know providers. */
export const MocksAllowed: PropertyDecorator = combine(
  FromVariable({
    variable: 'MOCKS',
    about:
      'Whether integrations can be made of mocks, which answer from a made-up company instead of a system. `off` takes them out of the capabilities, too; integrations that there are keep working.',
  }),
  IsBoolean({ message: 'mocks must be on or off' }),
);

/** At 100, the records of CrowdStrike alone take 320 MB, and no request is answered while its 88,656 vulnerabilities are made. */
export const maxWorldScale = 100;

/** `WORLD_SCALE: number`, for processes that play mocks. */
export const WorldScale: PropertyDecorator = combine(
  FromVariable({
    variable: 'WORLD_SCALE',
    about: `How many times people, devices, findings, events and tickets of the company of mocks are there, for load tests: 1 to ${maxWorldScale}. Set it to the same number for all connectors; the company changes for integrations that there are, too (docs/fakes.md).`,
  }),
  IsInt(),
  Min(1),
  Max(maxWorldScale),
);

/** `AWS_ROLES: boolean`, for processes that store credentials or use them. */
export const AwsRoles: PropertyDecorator = combine(
  FromVariable({
    variable: 'AWS_ROLES',
    about:
      'Whether credentials can be roles of AWS (`aws_role`). They are assumed with the AWS credentials of the connector: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, where they are temporary, `AWS_SESSION_TOKEN`; or `AWS_ROLE_ARN` and `AWS_WEB_IDENTITY_TOKEN_FILE` (docs/providers/credentials.md). Set it for management and connectors alike.',
  }),
  IsBoolean({ message: 'awsRoles must be on or off' }),
);

/** `NATS_URL: Secret`, for processes that need the bus. */
export const NatsUrl: PropertyDecorator = combine(
  FromVariable({
    variable: 'NATS_URL',
    about:
      'The NATS server of the bus, such as `nats://nats:4222`, `tls://nats:4222` to require TLS, or `nats://gateway:password@nats:4222` with a user and password; several servers are separated by commas.',
    secret: true,
  }),
  IsInstance(Secret, { message: 'natsUrl must be the address of a NATS server' }),
);

/** `OLD_KEY_FILES: string[]`, for processes that encrypt or decrypt. */
export const OldKeyFiles: PropertyDecorator = combine(
  FromVariable({
    variable: 'OLD_KEY_FILES',
    about:
      'Files with key-encryption keys from before a rotation, separated by commas; these keys only decrypt.',
  }),
  IsArray(),
);

/** `BUS_KEY_FILE?: string`, for processes that need the bus. */
export const BusKeyFile: PropertyDecorator = combine(
  FromVariable({
    variable: 'BUS_KEY_FILE',
    about:
      'A file with the key of the bus, which authenticates messages between processes; `npm run -s admin -- bus-key` writes it. Without it the key is derived from the key-encryption key, which a process with keys of single domains does not have (docs/keys.md).',
    default: 'none',
  }),
  IsOptional(),
  IsString(),
);

/** `DOMAIN_KEYS: boolean`, for processes that encrypt or decrypt. */
export const DomainKeys: PropertyDecorator = combine(
  FromVariable({
    variable: 'DOMAIN_KEYS',
    about:
      'Whether new data for a domain is sealed with the key of the domain, so that its connectors need no other one. Set it for management, connectors and operations alike (docs/keys.md).',
  }),
  IsBoolean({ message: 'domainKeys must be on or off' }),
);

/** `VAULT_TOKEN_FILE?: string`, for processes that encrypt or decrypt. */
export const VaultTokenFile: PropertyDecorator = combine(
  FromVariable({
    variable: 'VAULT_TOKEN_FILE',
    about:
      'A file with the token for Vault, if Vault wraps the key-encryption key; it is read for every call, so that an agent may renew it.',
    default: 'none',
  }),
  IsOptional(),
  IsString(),
);

/** Combines decorators into one, applied in the same order as if they were written above the property. */
function combine(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators.toReversed()) decorate(target, property);
  };
}
