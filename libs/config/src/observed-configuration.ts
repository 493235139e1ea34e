import { IsIn, IsInt, IsNotEmpty, IsString, Max, Min } from './checks.js';
import { FromVariable } from './setting.js';
import { TelemetryConfiguration } from './telemetry-configuration.js';

/** Settings of every process. */
export class ObservedConfiguration extends TelemetryConfiguration {
  @FromVariable({
    variable: 'LOG_LEVEL',
    about: 'The minimum severity of log lines: debug, info, warn or error.',
  })
  @IsIn(['debug', 'info', 'warn', 'error'])
  logLevel: 'debug' | 'info' | 'warn' | 'error' = 'info';

  @FromVariable({
    variable: 'OBSERVE_HOST',
    about:
      'The address on which health and metrics are served. They are for operators: keep it private.',
  })
  @IsString()
  @IsNotEmpty()
  observeHost: string = '127.0.0.1';

  @FromVariable({
    variable: 'OBSERVE_PORT',
    about: 'The port of `/health/live`, `/health/ready` and `/metrics`; 0 for any free port.',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  observePort: number = 9464;
}
