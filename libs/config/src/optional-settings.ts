import { OldKeyFiles, VaultTokenFile } from './common-settings.js';
import { combineSettings } from './combine-settings.js';
import { ConnectorSettings } from './connector-settings.js';
import { HttpConfiguration } from './http-configuration.js';
import { ManagementSettings } from './management-settings.js';
import { OperationsSettings } from './operations-settings.js';

/** The settings that none of the processes requires, together. */
export class OptionalSettings extends combineSettings(
  HttpConfiguration,
  ManagementSettings,
  ConnectorSettings,
  OperationsSettings,
) {
  @OldKeyFiles
  oldKeyFiles: string[] = [];

  @VaultTokenFile
  vaultTokenFile?: string;
}
