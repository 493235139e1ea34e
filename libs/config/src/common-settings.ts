import { IsArray, IsInstance, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Secret } from '#secrets';
import { FromVariable } from './setting.js';

// Settings that classes have which extend no common one, each declared once.

/** `EGRESS_ALLOW: string[]`, of processes that call outwards. */
export const EgressAllow: PropertyDecorator = all(
  FromVariable({
    variable: 'EGRESS_ALLOW',
    about:
      'Addresses and ranges that may be called although they are not public, such as `10.20.0.0/16`: systems inside the company.',
  }),
  IsString({ each: true }),
);

/** `AUDIT_DAYS: number`, of processes that keep the audit trail. */
export const AuditDays: PropertyDecorator = all(
  FromVariable({
    variable: 'AUDIT_DAYS',
    about: 'How many days records of the audit trail are kept; they are dropped by whole months.',
  }),
  IsInt(),
  Min(1),
  Max(36_500),
);

/** `NATS_URL: Secret`, of processes that are nothing without a bus. */
export const NatsUrl: PropertyDecorator = all(
  FromVariable({
    variable: 'NATS_URL',
    about:
      'The bus, such as `nats://nats:4222`, `tls://nats:4222` where TLS is required, or with a name and password `nats://gateway:password@nats:4222`; several servers separated by commas.',
    secret: true,
  }),
  IsInstance(Secret, { message: 'natsUrl must be the address of a NATS server' }),
);

/** `OLD_KEY_FILES: string[]`, of processes that seal or open. */
export const OldKeyFiles: PropertyDecorator = all(
  FromVariable({
    variable: 'OLD_KEY_FILES',
    about:
      'Key-encryption keys from before a rotation, separated by commas: they only open what they once sealed.',
  }),
  IsArray(),
);

/** `VAULT_TOKEN_FILE?: string`, of processes that seal or open. */
export const VaultTokenFile: PropertyDecorator = all(
  FromVariable({
    variable: 'VAULT_TOKEN_FILE',
    about:
      'A file with the token for Vault, where it wraps the key-encryption key; read for every call, so that an agent may renew it.',
    default: 'none',
  }),
  IsOptional(),
  IsString(),
);

/** As if they stood above the property, one below the other. */
function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators.toReversed()) decorate(target, property);
  };
}
