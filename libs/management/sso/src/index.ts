export { SsoModule } from './sso.module.js';
export { SsoOptions } from './sso-options.js';
