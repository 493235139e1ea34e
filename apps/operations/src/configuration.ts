import { ConcurrentTasks, EgressAllow, StoringServiceConfiguration } from '#config';

/** The settings of the worker. */
export class OperationsConfiguration extends StoringServiceConfiguration {
  @ConcurrentTasks
  concurrentTasks: number = 10;

  @EgressAllow
  egressAllow: string[] = [];
}
