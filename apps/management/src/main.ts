import 'reflect-metadata';
import { serve } from '#process';
import { ManagementConfiguration } from './configuration.js';
import { openManagement } from './open-management.js';

await serve({
  name: 'management',
  configuration: ManagementConfiguration,
  modules: [
    (settings, parts) =>
      openManagement({ ...settings, ...parts, publicUrl: () => settings.publicUrl }),
  ],
});
