import type { components as ConnectorComponents } from './generated/connector.js';
import type { components as ManagementComponents } from './generated/management.js';

/** The records and bodies of each API, by schema name. */
export type ManagementSchemas = ManagementComponents['schemas'];
export type ConnectorSchemas = ConnectorComponents['schemas'];
