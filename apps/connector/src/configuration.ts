import { IsIn, IsString } from 'class-validator';
import { FromVariable, StoringServiceConfiguration } from '#config';
import { domainNames } from './domains.js';

/** The settings of a connector process. */
export class ConnectorConfiguration extends StoringServiceConfiguration {
  @FromVariable({
    variable: 'DOMAINS',
    about: `The domains this process serves, separated by commas: ${domainNames.join(', ')}.`,
  })
  @IsIn(domainNames, { each: true })
  domains: string[] = [...domainNames];

  @FromVariable({
    variable: 'EGRESS_ALLOW',
    about:
      'Addresses and ranges that may be called although they are not public, such as `10.20.0.0/16`: providers inside the company.',
  })
  @IsString({ each: true })
  egressAllow: string[] = [];
}
