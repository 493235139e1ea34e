import { IsIn, IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { FromVariable } from './setting.js';

/** What every process can be told. */
export class ProcessConfiguration {
  @FromVariable({
    variable: 'LOG_LEVEL',
    about: 'The least severe lines that are logged: debug, info, warn or error.',
  })
  @IsIn(['debug', 'info', 'warn', 'error'])
  logLevel: 'debug' | 'info' | 'warn' | 'error' = 'info';

  @FromVariable({
    variable: 'OBSERVE_HOST',
    about:
      'The address at which health and metrics are served. They are for operators: keep it private.',
  })
  @IsString()
  @IsNotEmpty()
  observeHost: string = '127.0.0.1';

  @FromVariable({
    variable: 'OBSERVE_PORT',
    about: 'The port of `/health/live`, `/health/ready` and `/metrics`; 0 for any free one.',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  observePort: number = 9464;
}

/** What every process of a distributed installation can be told. */
export class ServiceConfiguration extends ProcessConfiguration {
  @FromVariable({
    variable: 'NATS_URL',
    about: 'The bus, such as `nats://nats:4222`; several servers separated by commas.',
  })
  @IsString()
  @IsNotEmpty()
  natsUrl!: string;
}
