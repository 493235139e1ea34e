export { CustomModule } from './custom.module.js';
