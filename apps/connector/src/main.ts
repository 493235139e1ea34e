import 'reflect-metadata';
import { serve } from '#process';
import { ConnectorConfiguration } from './configuration.js';
import { openConnector } from './open-connector.js';

await serve({
  name: 'connector',
  configuration: ConnectorConfiguration,
  domains: ({ domains }) => domains,
  modules: [(settings, parts) => openConnector({ ...settings, ...parts })],
});
