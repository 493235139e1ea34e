export { type Chains, checkMappings, checkProviders } from './check-mappings.js';
export { resolveMappings } from './find-chain.js';
export { MappingsModule } from './mappings.module.js';
export { resolveMapping } from './resolve-mapping.js';
