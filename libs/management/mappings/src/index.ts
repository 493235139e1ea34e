export { type Chains, checkMappings, checkProviders } from './check-mappings.js';
export { MappingsModule } from './mappings.module.js';
