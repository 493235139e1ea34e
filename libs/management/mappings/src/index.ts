export { MappingsModule } from './mappings.module.js';
