import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, IsUrl, Max, Min } from './checks.js';
import { ProcessConfiguration } from './process-configuration.js';
import { FromVariable } from './setting.js';

/** Settings of a process that serves the API over HTTP. */
export class HttpConfiguration extends ProcessConfiguration {
  @FromVariable({ variable: 'HOST', about: 'The address on which the API is served.' })
  @IsString()
  @IsNotEmpty()
  host: string = '0.0.0.0';

  @FromVariable({ variable: 'PORT', about: 'The port of the API; 0 for any free port.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 8080;

  @FromVariable({
    variable: 'PUBLIC_URL',
    about:
      'The address at which clients, browsers and identity providers reach the API, such as `https://api.example.com`: the OpenAPI documents and single sign-on contain it.',
    default: 'the address of the API',
  })
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  publicUrl?: string;

  @FromVariable({
    variable: 'REFERENCE_PAGE',
    about:
      'Whether everybody may read the API reference at `/reference`, with copies of both OpenAPI documents; they contain no data.',
  })
  @IsBoolean()
  referencePage: boolean = true;

  @FromVariable({
    variable: 'CONSOLE',
    about:
      'Whether the console is served at `/console/`; its files contain no data, and it calls the API with the token of the person who uses it.',
  })
  @IsBoolean()
  console: boolean = false;

  @FromVariable({
    variable: 'CONNECT',
    about:
      'Whether the Connect UI is served at `/connect/`: the page in which customers of the host connect their systems (docs/connect-sessions.md).',
  })
  @IsBoolean()
  connect: boolean = false;

  @FromVariable({
    variable: 'CORS_ORIGINS',
    about:
      'Origins whose pages may call the API, such as `https://console.example.com`; none by default.',
  })
  @IsString({ each: true })
  corsOrigins: string[] = [];

  @FromVariable({
    variable: 'MAX_BODY_BYTES',
    about: 'The largest JSON body, where the limit of its operation is not lower (docs/limits.md).',
  })
  @IsInt()
  @Min(1_024)
  @Max(104_857_600)
  maxBodyBytes: number = 37_748_736;

  @FromVariable({
    variable: 'MAX_BODIES_BYTES',
    about:
      'Bytes of JSON bodies that the process holds at one time, half of them from one address; beyond, 503.',
  })
  @IsInt()
  @Min(1_048_576)
  @Max(17_179_869_184)
  maxBodiesBytes: number = 134_217_728;

  @FromVariable({
    variable: 'MAX_UPLOAD_BYTES',
    about: 'Maximum size of an uploaded file.',
  })
  @IsInt()
  @Min(1_024)
  @Max(1_099_511_627_776)
  maxUploadBytes: number = 5_368_709_120;

  @FromVariable({
    variable: 'API_PATH_ALIASES',
    about:
      'Paths that existing clients know, each with the path of the API that it stands for: `/v1/old/{id}/notes=/v1/ticketing/tickets/{id}/comments`. Paths below it are meant as well; paths of the API keep their meaning (docs/existing-clients.md).',
  })
  @IsString({ each: true })
  pathAliases: string[] = [];

  @FromVariable({
    variable: 'PROXY_HOPS',
    about:
      'Number of proxies in front of the gateway: the address of the client is that many entries from the end of X-Forwarded-For.',
  })
  @IsInt()
  @Min(0)
  @Max(10)
  proxyHops: number = 0;
}
