export { CapabilitiesModule } from './capabilities.module.js';
