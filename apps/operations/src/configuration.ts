import { combineSettings, OperationsSettings, StoringServiceConfiguration } from '#config';

/** The settings of the worker. */
export class OperationsConfiguration extends combineSettings(
  StoringServiceConfiguration,
  OperationsSettings,
) {}
