import { Secret } from '#secrets';
import { FromVariable } from './setting.js';

// Settings of several processes, which their classes combine.

/** Beginnings of headers with a meaning of their own, in either case. */
const reserved =
  'accept|authorization|connection|content-|cookie|expect|host$|te$|trailer|transfer-|upgrade|webhook-'.replaceAll(
    /[a-z]/g,
    (letter) => `[${letter}${letter.toUpperCase()}]`,
  );

/** Settings of processes that make outgoing calls. */
export class EgressSettings {
  @FromVariable({
    variable: 'EGRESS_ALLOW',
    about:
      'Addresses and ranges that may be called although they are not public, such as `10.20.0.0/16`, for systems inside the company.',
  })
  egressAllow: string[] = [];

  @FromVariable({
    variable: 'EGRESS_PROXY',
    about:
      'The proxy through which other systems are called, by CONNECT: `http://proxy:3128`, or `https://user:password@proxy:3128` with special characters percent-encoded (docs/operations.md).',
    default: 'none',
    secret: true,
    optional: true,
  })
  egressProxy?: Secret;

  @FromVariable({
    variable: 'EGRESS_PROXY_EXCEPT',
    about:
      'Names with all below them, addresses and ranges that are called without EGRESS_PROXY, such as `corp.example.com,10.20.0.0/16`.',
  })
  egressProxyExcept: string[] = [];
}

/** Settings of processes that sign what they send. */
export class SigningSettings {
  @FromVariable({
    variable: 'WEBHOOK_SIGNATURE_HEADER',
    about:
      'A further header with the signature `sha256=…` of what is sent to webhooks and HTTP sinks, under the name that existing receivers read (docs/existing-clients.md).',
    default: 'none; X-Onefold-Signature is always sent',
    optional: true,
    schema: { pattern: String.raw`^(?!(?:${reserved}))[A-Za-z][A-Za-z0-9-]{0,99}$` },
    rule: 'must be a header name such as X-Acme-Signature that has no other meaning',
  })
  signatureHeader?: string;
}

/** Settings of processes that run mappings. */
export class MappingSettings {
  @FromVariable({
    variable: 'MAPPING_BUDGETS',
    about:
      'Percentages of the limits of mapping runs, by integration, account or organization id, or `*`: `*:50,int_…:10` (docs/limits.md).',
    schema: { pattern: String.raw`^(?:\*|[A-Za-z0-9_-]+):(?:100|[1-9]\d?)$` },
    rule: 'must be a list of id:percentage, with a percentage from 1 to 100',
  })
  mappingBudgets: string[] = [];
}

/** Settings of processes that call providers. */
export class BudgetSettings {
  @FromVariable({
    variable: 'PROVIDER_BUDGETS',
    about:
      'Percentages of the budgets in provider documents, by integration, account or organization id, or `*`: above 100 for who has bought more at the provider, below for who calls it by other programs too: `int_…:300,*:80` (docs/budgets.md).',
    schema: { pattern: String.raw`^(?:\*|[A-Za-z0-9_-]+):[1-9]\d{0,4}$` },
    rule: 'must be a list of id:percentage, with a percentage from 1 to 99999',
  })
  providerBudgets: string[] = [];
}

/** Settings of processes that store credentials or use them. */
export class AwsSettings {
  @FromVariable({
    variable: 'AWS_ROLES',
    about:
      'Whether credentials can be roles of AWS (`aws_role`). They are assumed with the AWS credentials of the connector: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, where they are temporary, `AWS_SESSION_TOKEN`; or `AWS_ROLE_ARN` and `AWS_WEB_IDENTITY_TOKEN_FILE` (docs/providers/credentials.md). Set it for management and connectors alike.',
  })
  awsRoles: boolean = false;
}
