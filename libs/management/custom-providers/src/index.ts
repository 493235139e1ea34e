export { CustomProvidersModule } from './custom-providers.module.js';
