import { StoringServiceConfiguration } from '#config';

/** The settings of the management process. */
export class ManagementConfiguration extends StoringServiceConfiguration {}
