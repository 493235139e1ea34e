import { combineSettings } from './combine-settings.js';
import { FromVariable } from './setting.js';
import {
  AwsSettings,
  BudgetSettings,
  EgressSettings,
  MappingSettings,
  SigningSettings,
} from './shared-settings.js';

/** At 100, the records of CrowdStrike alone take 320 MB, and no request is answered while its 88,656 vulnerabilities are made. */
export const maxWorldScale = 100;

/** Settings of the connector API, in a connector and in the standalone process. */
export class ConnectorSettings extends combineSettings(
  SigningSettings,
  EgressSettings,
  MappingSettings,
  AwsSettings,
  BudgetSettings,
) {
  @FromVariable({
    variable: 'WORLD_SCALE',
    about: `How many times people, devices, findings, events and tickets of the company of mocks are there, for load tests: 1 to ${maxWorldScale}. Set it to the same number for all connectors; the company changes for integrations that there are, too (docs/fakes.md).`,
    schema: { type: 'integer', minimum: 1, maximum: maxWorldScale },
  })
  worldScale: number = 1;

  @FromVariable({
    variable: 'MAX_RESPONSES_BYTES',
    about:
      'Estimated bytes of memory that answers of providers take in the process at one time, read and parsed, until their calls end; beyond, 503 with `Retry-After`. Raise it with the memory of connectors.',
    schema: { type: 'integer', minimum: 16_777_216 },
  })
  maxResponsesBytes: number = 268_435_456;

  @FromVariable({
    variable: 'REQUEST_LOG_SHARE',
    about:
      'One of how many successful calls of integrations the request log keeps, at random; 0 keeps none. Those that failed and the last ones of each integration (`REQUEST_LOG_LAST`) are kept in any case (docs/requests.md).',
    schema: { type: 'integer', minimum: 0, maximum: 1_000_000 },
  })
  requestLogShare: number = 20;

  @FromVariable({
    variable: 'REQUEST_LOG_LAST',
    about:
      'How many of the last calls of each integration the request log keeps in any case. With many busy integrations these are most of what connectors write to the database; 0 keeps none (docs/scale.md).',
    schema: { type: 'integer', minimum: 0, maximum: 50 },
  })
  requestLogLast: number = 50;
}
