export { BridgesModule } from './bridges.module.js';
