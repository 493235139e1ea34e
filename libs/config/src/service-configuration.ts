import { Secret } from '#secrets';
import { BusKeyFile, DomainKeys, NatsUrl, OldKeyFiles, VaultTokenFile } from './common-settings.js';
import { FromVariable } from './setting.js';
import { ProcessConfiguration } from './process-configuration.js';

/** Settings of every process of a distributed installation that is on the bus. */
export class ServiceConfiguration extends ProcessConfiguration {
  @NatsUrl
  natsUrl!: Secret;
}

/** Settings of the processes that store records and decrypt credentials. */
export class StoringServiceConfiguration extends ServiceConfiguration {
  @FromVariable({
    variable: 'DATABASE_URL',
    about:
      'The PostgreSQL database, `postgres://user:password@host:5432/onefold`; its tables are created by `npm run -s admin -- migrate`.',
    secret: true,
    schema: { pattern: String.raw`^postgres(ql)?://` },
    rule: 'must begin with postgres://',
  })
  databaseUrl!: string;

  @FromVariable({
    variable: 'DATABASE_POOL',
    about: 'Maximum number of connections to the database per process.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  })
  databasePool: number = 10;

  @FromVariable({
    variable: 'KEY_FILE',
    about:
      'The key-encryption key: 32 bytes in base64, readable by this user only, or wrapped by a key service; `npm run -s admin -- key` creates one. For a connector also the keys of its domains alone (docs/keys.md).',
  })
  keyFile!: string;

  @OldKeyFiles
  oldKeyFiles: string[] = [];

  @DomainKeys
  domainKeys: boolean = false;

  @BusKeyFile
  busKeyFile?: string;

  @VaultTokenFile
  vaultTokenFile?: string;
}
