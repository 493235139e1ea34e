import { IsInt, IsString, IsUrl, Max, Min } from 'class-validator';
import { FromVariable, StoringServiceConfiguration } from '#config';

/** The settings of the management process. */
export class ManagementConfiguration extends StoringServiceConfiguration {
  @FromVariable({
    variable: 'PUBLIC_URL',
    about:
      'The address at which browsers and identity providers reach the gateway, such as `https://api.example.com`: single sign-on is told it.',
  })
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl: string = 'http://localhost:8080';

  @FromVariable({
    variable: 'EGRESS_ALLOW',
    about:
      'Addresses and ranges that may be called although they are not public, such as `10.20.0.0/16`: identity providers inside the company.',
  })
  @IsString({ each: true })
  egressAllow: string[] = [];

  @FromVariable({
    variable: 'AUDIT_DAYS',
    about: 'How many days records of the audit trail are kept; they are dropped by whole months.',
  })
  @IsInt()
  @Min(1)
  @Max(36_500)
  auditDays: number = 365;
}
