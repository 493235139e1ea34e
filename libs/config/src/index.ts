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
  ConcurrentDeliveries,
  ConcurrentTasks,
  EgressAllow,
  JobPageRecords,
  MappingBudgets,
  AwsRoles,
  MocksAllowed,
  RecordSample,
  NatsUrl,
  OldKeyFiles,
  VaultTokenFile,
  maxWorldScale,
  WorldScale,
} from './common-settings.js';
export {
  ProcessConfiguration,
  ServiceConfiguration,
  StoringServiceConfiguration,
} from './process-configuration.js';
export { HttpConfiguration } from './http-configuration.js';
export { beginsWithId, createIds, defineIdPrefix, type IdKind, type Ids, isId } from './ids.js';
export { ConfigurationError, environment, loadConfiguration } from './load-configuration.js';
export {
  type ConfigurationClass,
  FromVariable,
  type Setting,
  type SettingOptions,
  settingsOf,
  type SettingType,
} from './setting.js';
