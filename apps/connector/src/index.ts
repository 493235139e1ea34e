export { type ConnectorOptions, openConnector, type OpenConnector } from './open-connector.js';
