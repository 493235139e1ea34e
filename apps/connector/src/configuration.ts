import { IsIn } from 'class-validator';
import { EgressAllow, FromVariable, StoringServiceConfiguration } from '#config';
import { domainNames } from './domains.js';

/** The settings of a connector process. */
export class ConnectorConfiguration extends StoringServiceConfiguration {
  @FromVariable({
    variable: 'DOMAINS',
    about: `The domains this process serves, separated by commas: ${domainNames.join(', ')}.`,
  })
  @IsIn(domainNames, { each: true })
  domains: string[] = [...domainNames];

  @EgressAllow
  egressAllow: string[] = [];
}
