import {
  ConcurrentDeliveries,
  ConcurrentTasks,
  EgressAllow,
  JobPageRecords,
  StoringServiceConfiguration,
  WebhookSignatureHeader,
} from '#config';

/** The settings of the worker. */
export class OperationsConfiguration extends StoringServiceConfiguration {
  @ConcurrentTasks
  concurrentTasks: number = 10;

  @ConcurrentDeliveries
  concurrentDeliveries: number = 10;

  @JobPageRecords
  jobPageRecords: number = 500;

  @WebhookSignatureHeader
  signatureHeader?: string;

  @EgressAllow
  egressAllow: string[] = [];
}
