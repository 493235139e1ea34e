import {
  AuditDays,
  AwsRoles,
  EgressAllow,
  FromVariable,
  IsUrl,
  MappingBudgets,
  MocksAllowed,
  StoringServiceConfiguration,
} from '#config';

/** The settings of the management process. */
export class ManagementConfiguration extends StoringServiceConfiguration {
  @FromVariable({
    variable: 'PUBLIC_URL',
    about:
      'The address at which browsers and identity providers reach the gateway, such as `https://api.example.com`: single sign-on is told it.',
  })
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl: string = 'http://localhost:8080';

  @EgressAllow
  egressAllow: string[] = [];

  @MappingBudgets
  mappingBudgets: string[] = [];

  @AuditDays
  auditDays: number = 365;

  @AwsRoles
  awsRoles: boolean = false;

  @MocksAllowed
  mocks: boolean = true;
}
