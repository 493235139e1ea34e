export { CustomsModule } from './customs.module.js';
