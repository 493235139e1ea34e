import {
  BusKeyFile,
  FromVariable,
  HttpConfiguration,
  NatsUrl,
  OldKeyFiles,
  VaultTokenFile,
} from '#config';
import { Secret } from '#secrets';
import type { GatewaySettings } from './gateway-settings.js';

/** The gateway as a process of its own. */
export class GatewayConfiguration extends HttpConfiguration implements GatewaySettings {
  @NatsUrl
  natsUrl!: Secret;

  @FromVariable({
    variable: 'KEY_FILE',
    about:
      'The key-encryption key of the other services: messages of the bus are authenticated, and bodies with secrets sealed, by keys derived from it. Not needed with BUS_KEY_FILE.',
    default: 'none; required without BUS_KEY_FILE',
    optional: true,
  })
  keyFile?: string;

  @BusKeyFile
  busKeyFile?: string;

  @OldKeyFiles
  oldKeyFiles: string[] = [];

  @VaultTokenFile
  vaultTokenFile?: string;
}
