import { FromVariable } from './setting.js';
import { TelemetryConfiguration } from './telemetry-configuration.js';

/** Settings of every process. */
export class ObservedConfiguration extends TelemetryConfiguration {
  @FromVariable({
    variable: 'LOG_LEVEL',
    about: 'The minimum severity of log lines: debug, info, warn or error.',
    schema: { enum: ['debug', 'info', 'warn', 'error'] },
  })
  logLevel: 'debug' | 'info' | 'warn' | 'error' = 'info';

  @FromVariable({
    variable: 'ACCESS_LOG',
    about:
      'Whether the log has a line for each call that the process answers or makes, with its request id, owner, provider, operation, status and time (docs/operations.md).',
  })
  accessLog: boolean = false;

  @FromVariable({
    variable: 'OBSERVE_HOST',
    about:
      'The address on which health and metrics are served. They are for operators: keep it private.',
  })
  observeHost: string = '127.0.0.1';

  @FromVariable({
    variable: 'OBSERVE_PORT',
    about:
      'The port of `/health/live`, `/health/ready`, `/status` and `/metrics`; 0 for any free port.',
    schema: { type: 'integer', minimum: 0, maximum: 65_535 },
  })
  observePort: number = 9464;
}
