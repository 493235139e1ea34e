import { IsIn, IsInt, IsNotEmpty, IsString, Matches, Max, Min } from 'class-validator';
import { Secret } from '#secrets';
import { NatsLogonConfiguration } from './nats-settings.js';
import { NatsUrl, OldKeyFiles, VaultTokenFile } from './common-settings.js';
import { FromVariable } from './setting.js';

/** What every process can be told. */
export class ProcessConfiguration extends NatsLogonConfiguration {
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
  @NatsUrl
  natsUrl!: Secret;
}

/** What the processes can be told that keep records and open credentials. */
export class StoringServiceConfiguration extends ServiceConfiguration {
  @FromVariable({
    variable: 'DATABASE_URL',
    about:
      'The PostgreSQL database, `postgres://user:password@host:5432/onefold`; its tables are made by `npm run -s admin -- migrate`.',
    secret: true,
  })
  @Matches(/^postgres(ql)?:\/\//, { message: 'databaseUrl must begin with postgres://' })
  databaseUrl!: string;

  @FromVariable({
    variable: 'DATABASE_POOL',
    about: 'Connections to the database at most, per process.',
  })
  @IsInt()
  @Min(1)
  @Max(1_000)
  databasePool: number = 10;

  @FromVariable({
    variable: 'KEY_FILE',
    about:
      'The key-encryption key: 32 bytes in base64, readable by this user only, or wrapped by a key service; `npm run -s admin -- key` makes one.',
  })
  @IsString()
  @IsNotEmpty()
  keyFile!: string;

  @OldKeyFiles
  oldKeyFiles: string[] = [];

  @VaultTokenFile
  vaultTokenFile?: string;
}
