export { domainNames, roleOf } from './domains.js';
export { type ConnectorOptions, openConnector, type OpenConnector } from './open-connector.js';
