import { servedDomains } from '#contract';
import {
  combineSettings,
  ConnectorSettings,
  FromVariable,
  StoringServiceConfiguration,
} from '#config';

/** The settings of a connector process. */
export class ConnectorConfiguration extends combineSettings(
  StoringServiceConfiguration,
  ConnectorSettings,
) {
  @FromVariable({
    variable: 'DOMAINS',
    about: `The domains this process serves, separated by commas: ${servedDomains.join(', ')}.`,
    schema: { enum: [...servedDomains] },
  })
  domains: string[] = [...servedDomains];
}
