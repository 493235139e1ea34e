import { ProviderImagesFolder } from './common-settings.js';
import { ProcessConfiguration } from './process-configuration.js';
import { FromVariable, httpAddress } from './setting.js';

/** Settings of a process that serves the API over HTTP. */
export class HttpConfiguration extends ProcessConfiguration {
  @FromVariable({ variable: 'HOST', about: 'The address on which the API is served.' })
  host: string = '0.0.0.0';

  @FromVariable({
    variable: 'PORT',
    about: 'The port of the API; 0 for any free port.',
    schema: { type: 'integer', minimum: 0, maximum: 65_535 },
  })
  port: number = 8080;

  @FromVariable({
    variable: 'PUBLIC_URL',
    about:
      'The address at which clients, browsers and identity providers reach the API, such as `https://api.example.com`: the OpenAPI documents and single sign-on contain it.',
    default: 'the address of the API',
    optional: true,
    ...httpAddress,
  })
  publicUrl?: string;

  @FromVariable({
    variable: 'REFERENCE_PAGE',
    about:
      'Whether everybody may read the API reference at `/reference`, with copies of both OpenAPI documents; they contain no data.',
  })
  referencePage: boolean = true;

  @FromVariable({
    variable: 'CONSOLE',
    about:
      'Whether the console is served at `/console/`; its files contain no data, and it calls the API with the token of the person who uses it.',
  })
  console: boolean = false;

  @FromVariable({
    variable: 'CONNECT',
    about:
      'Whether the Connect UI is served at `/connect/`: the page in which customers of the host connect their systems (docs/connect-sessions.md).',
  })
  connect: boolean = false;

  @ProviderImagesFolder
  providerImagesFolder: string = '';

  @FromVariable({
    variable: 'CORS_ORIGINS',
    about:
      'Origins whose pages may call the API, such as `https://console.example.com`; none by default.',
  })
  corsOrigins: string[] = [];

  @FromVariable({
    variable: 'MAX_BODY_BYTES',
    about: 'The largest JSON body, where the limit of its operation is not lower (docs/limits.md).',
    schema: { type: 'integer', minimum: 1_024, maximum: 104_857_600 },
  })
  maxBodyBytes: number = 37_748_736;

  @FromVariable({
    variable: 'MAX_BODIES_BYTES',
    about:
      'Bytes of JSON bodies that the process holds at one time, half of them from one address; beyond, 503.',
    schema: { type: 'integer', minimum: 1_048_576, maximum: 17_179_869_184 },
  })
  maxBodiesBytes: number = 134_217_728;

  @FromVariable({
    variable: 'MAX_UPLOAD_BYTES',
    about: 'Maximum size of an uploaded file.',
    schema: { type: 'integer', minimum: 1_024, maximum: 1_099_511_627_776 },
  })
  maxUploadBytes: number = 5_368_709_120;

  @FromVariable({
    variable: 'API_PATH_ALIASES',
    about:
      'Paths that existing clients know, each with the path of the API that it stands for: `/v1/old/{id}/notes=/v1/ticketing/tickets/{id}/comments`. Paths below it are meant as well; paths of the API keep their meaning (docs/existing-clients.md).',
  })
  pathAliases: string[] = [];

  @FromVariable({
    variable: 'PROXY_HOPS',
    about:
      'Number of proxies in front of the gateway: the address of the client is that many entries from the end of X-Forwarded-For.',
    schema: { type: 'integer', minimum: 0, maximum: 10 },
  })
  proxyHops: number = 0;
}
