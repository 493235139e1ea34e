import { IsNotEmpty, IsString } from 'class-validator';
import { FromVariable, HttpConfiguration, NatsUrl, OldKeyFiles, VaultTokenFile } from '#config';
import type { GatewaySettings } from './gateway-settings.js';

/** The gateway as a process of its own. */
export class GatewayConfiguration extends HttpConfiguration implements GatewaySettings {
  @NatsUrl
  natsUrl!: string;

  @FromVariable({
    variable: 'KEY_FILE',
    about:
      'The key-encryption key of the other services: bodies with secrets are sealed before they enter the bus.',
  })
  @IsString()
  @IsNotEmpty()
  keyFile!: string;

  @OldKeyFiles
  oldKeyFiles: string[] = [];

  @VaultTokenFile
  vaultTokenFile?: string;
}
