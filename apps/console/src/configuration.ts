import { FromVariable, ObservedConfiguration, ProviderImagesFolder } from '#config';

/** The console as a process of its own. */
export class ConsoleConfiguration extends ObservedConfiguration {
  @FromVariable({
    variable: 'API_URL',
    about:
      'The address of the API for browsers, such as `https://api.example.com`. The CORS_ORIGINS of the gateway contain that of the console.',
    schema: { pattern: String.raw`^https?://[^/?#@\s]+/?$` },
    rule: 'must be an address without a path, such as https://api.example.com',
  })
  apiUrl!: string;

  @FromVariable({ variable: 'HOST', about: 'The address on which the console is served.' })
  host: string = '0.0.0.0';

  @FromVariable({
    variable: 'PORT',
    about: 'The port of the console; 0 for any free port.',
    schema: { type: 'integer', minimum: 0, maximum: 65_535 },
  })
  port: number = 8080;

  @ProviderImagesFolder
  providerImagesFolder: string = '';
}
