import 'reflect-metadata';
import { serve } from '#process';
import { OperationsConfiguration } from './configuration.js';
import { openOperations } from './open-operations.js';

await serve({
  name: 'operations',
  configuration: OperationsConfiguration,
  modules: [(settings, parts) => openOperations({ ...settings, ...parts })],
});
