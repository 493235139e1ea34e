import {
  AuditDays,
  AwsRoles,
  ConcurrentDeliveries,
  ConcurrentTasks,
  EgressAllow,
  JobPageRecords,
  MappingBudgets,
  MocksAllowed,
  OldKeyFiles,
  VaultTokenFile,
  WebhookSignatureHeader,
  WorldScale,
} from './common-settings.js';
import { HttpConfiguration } from './http-configuration.js';

/** The settings that none of the processes requires, together. */
export class OptionalSettings extends HttpConfiguration {
  @OldKeyFiles
  oldKeyFiles: string[] = [];

  @VaultTokenFile
  vaultTokenFile?: string;

  @EgressAllow
  egressAllow: string[] = [];

  @MappingBudgets
  mappingBudgets: string[] = [];

  @WorldScale
  worldScale: number = 1;

  @ConcurrentTasks
  concurrentTasks: number = 10;

  @ConcurrentDeliveries
  concurrentDeliveries: number = 10;

  @WebhookSignatureHeader
  signatureHeader?: string;

  @JobPageRecords
  jobPageRecords: number = 500;

  @AuditDays
  auditDays: number = 365;

  @AwsRoles
  awsRoles: boolean = false;

  @MocksAllowed
  mocks: boolean = true;
}
