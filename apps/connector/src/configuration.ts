import { servedDomains } from '#contract';
import {
  AwsRoles,
  EgressAllow,
  FromVariable,
  IsIn,
  MappingBudgets,
  StoringServiceConfiguration,
  WebhookSignatureHeader,
  WorldScale,
} from '#config';

/** The settings of a connector process. */
export class ConnectorConfiguration extends StoringServiceConfiguration {
  @FromVariable({
    variable: 'DOMAINS',
    about: `The domains this process serves, separated by commas: ${servedDomains.join(', ')}.`,
  })
  @IsIn(servedDomains, { each: true })
  domains: string[] = [...servedDomains];

  @WebhookSignatureHeader
  signatureHeader?: string;

  @EgressAllow
  egressAllow: string[] = [];

  @MappingBudgets
  mappingBudgets: string[] = [];

  @AwsRoles
  awsRoles: boolean = false;

  @WorldScale
  worldScale: number = 1;
}
