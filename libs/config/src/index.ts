export { type Clock, systemClock } from './clock.js';
export { combineSettings } from './combine-settings.js';
export {
  BusKeyFile,
  DomainKeys,
  NatsUrl,
  OldKeyFiles,
  ProviderImagesFolder,
  VaultTokenFile,
} from './common-settings.js';
export { ConnectorSettings, maxWorldScale } from './connector-settings.js';
export { ManagementSettings } from './management-settings.js';
export { OperationsSettings } from './operations-settings.js';
export { MailSettings } from './mail-settings.js';
export { ProcessConfiguration } from './process-configuration.js';
export { ObservedConfiguration } from './observed-configuration.js';
export { ServiceConfiguration, StoringServiceConfiguration } from './service-configuration.js';
export { HttpConfiguration } from './http-configuration.js';
export { OptionalSettings } from './optional-settings.js';
export { beginsWithId, createIds, defineIdPrefix, type IdKind, type Ids, isId } from './ids.js';
export { environment } from './environment.js';
export { ConfigurationError, loadConfiguration } from './load-configuration.js';
export {
  type ConfigurationClass,
  FromVariable,
  httpAddress,
  type Setting,
  type SettingOptions,
  settingsOf,
  type SettingType,
} from './setting.js';
export { TelemetryConfiguration } from './telemetry-configuration.js';
export { version } from './version.js';
