import {
  environment,
  FromVariable,
  IsNotEmpty,
  IsOptional,
  IsString,
  loadConfiguration,
  Matches,
  OldKeyFiles,
  VaultTokenFile,
} from '#config';

/** The settings of the administrative commands. */
export class AdminConfiguration {
  @FromVariable({
    variable: 'DATA_FOLDER',
    about:
      'The folder of `npm start`: its embedded database and its keys. `--data` on the command line.',
  })
  @IsString()
  @IsNotEmpty()
  dataFolder: string = './data';

  @FromVariable({
    variable: 'DATABASE_URL',
    about: 'The PostgreSQL database, as the owner of its tables.',
    default: 'the embedded one',
    secret: true,
  })
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'databaseUrl must begin with postgres://' })
  databaseUrl?: string;

  @FromVariable({
    variable: 'KEY_FILE',
    about: 'The key-encryption key.',
    default: '`key-encryption.key` in the data folder',
  })
  @IsOptional()
  @IsString()
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
