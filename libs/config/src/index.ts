export {
  IsArray,
  IsBoolean,
  IsIn,
  IsInstance,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
} from './checks.js';
export { type Clock, systemClock } from './clock.js';
export {
  AuditDays,
  BusKeyFile,
  ConcurrentDeliveries,
  ConcurrentTasks,
  DomainKeys,
  EgressAllow,
  JobPageRecords,
  MappingBudgets,
  AwsRoles,
  MocksAllowed,
  NatsUrl,
  OldKeyFiles,
  VaultTokenFile,
  maxWorldScale,
  WebhookSignatureHeader,
  WorldScale,
} from './common-settings.js';
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
  type Setting,
  type SettingOptions,
  settingsOf,
  type SettingType,
} from './setting.js';
export { TelemetryConfiguration } from './telemetry-configuration.js';
