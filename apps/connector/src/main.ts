import 'reflect-metadata';
import { connectorRole } from '#bus';
import { serve } from '#process';
import { ConnectorConfiguration } from './configuration.js';
import { openConnector } from './open-connector.js';

await serve({
  name: 'connector',
  configuration: ConnectorConfiguration,
  role: ({ domains }) => connectorRole(domains),
  modules: [(settings, parts) => openConnector({ ...settings, ...parts })],
});
