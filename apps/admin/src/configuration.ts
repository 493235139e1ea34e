import { environment, FromVariable, loadConfiguration, OldKeyFiles, VaultTokenFile } from '#config';

/** The settings of the administrative commands. */
export class AdminConfiguration {
  @FromVariable({
    variable: 'DATA_FOLDER',
    about:
      'The folder of `npm start`: its embedded database and its keys. `--data` on the command line.',
  })
  dataFolder: string = './data';

  @FromVariable({
    variable: 'DATABASE_URL',
    about: 'The PostgreSQL database, as the owner of its tables.',
    default: 'the embedded one',
    secret: true,
    optional: true,
    schema: { pattern: String.raw`^postgres(ql)?://` },
    rule: 'must begin with postgres://',
  })
  databaseUrl?: string;

  @FromVariable({
    variable: 'KEY_FILE',
    about: 'The key-encryption key.',
    default: '`key-encryption.key` in the data folder',
    optional: true,
  })
  keyFile?: string;

  @OldKeyFiles
  oldKeyFiles: string[] = [];

  @VaultTokenFile
  vaultTokenFile?: string;
}

/** Reads the settings from the environment. @param dataFolder the folder on the command line, which overrides it @throws ConfigurationError */
export function adminSettings(dataFolder: string | undefined): AdminConfiguration {
  return loadConfiguration(AdminConfiguration, {
    ...environment(),
    ...(dataFolder === undefined ? {} : { DATA_FOLDER: dataFolder }),
  });
}
