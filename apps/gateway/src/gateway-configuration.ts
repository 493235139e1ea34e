import { IsArray, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min } from 'class-validator';
import { FromVariable, ProcessConfiguration } from '#config';
import type { GatewaySettings } from './gateway-settings.js';

/** What a process that serves the API over HTTP can be told. */
export class HttpConfiguration extends ProcessConfiguration implements GatewaySettings {
  @FromVariable({ variable: 'HOST', about: 'The address at which the API is served.' })
  @IsString()
  @IsNotEmpty()
  host: string = '0.0.0.0';

  @FromVariable({ variable: 'PORT', about: 'The port of the API; 0 for any free one.' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 8080;

  @FromVariable({
    variable: 'CORS_ORIGINS',
    about:
      'Origins whose pages may call the API, such as `https://console.example.com`; none unless told.',
  })
  @IsString({ each: true })
  corsOrigins: string[] = [];

  @FromVariable({ variable: 'MAX_BODY_BYTES', about: 'The longest JSON body that is taken.' })
  @IsInt()
  @Min(1_024)
  @Max(104_857_600)
  maxBodyBytes: number = 10_485_760;

  @FromVariable({
    variable: 'PROXY_HOPS',
    about:
      'How many proxies stand before the gateway: the client is the address that many entries from the end of X-Forwarded-For.',
  })
  @IsInt()
  @Min(0)
  @Max(10)
  proxyHops: number = 0;
}

/** The gateway as a process of its own. */
export class GatewayConfiguration extends HttpConfiguration {
  @FromVariable({
    variable: 'NATS_URL',
    about: 'The bus, such as `nats://nats:4222`; several servers separated by commas.',
  })
  @IsString()
  @IsNotEmpty()
  natsUrl!: string;

  @FromVariable({
    variable: 'KEY_FILE',
    about:
      'The key-encryption key of the other services: bodies with secrets are sealed before they enter the bus.',
  })
  @IsString()
  @IsNotEmpty()
  keyFile!: string;

  @FromVariable({
    variable: 'OLD_KEY_FILES',
    about:
      'Key-encryption keys from before a rotation, separated by commas: they only open what they once sealed.',
  })
  @IsArray()
  oldKeyFiles: string[] = [];

  @FromVariable({
    variable: 'VAULT_TOKEN_FILE',
    about:
      'A file with the token for Vault, where it wraps the key-encryption key; read for every call, so that an agent may renew it.',
    default: 'none',
  })
  @IsOptional()
  @IsString()
  vaultTokenFile?: string;
}
