export { type NestProcess, openModules, type OpenModule, type Served } from './open-modules.js';
export { warnOfIgnoredProxy } from './ignored-proxy.js';
export { serve, type ServeOptions } from './serve.js';
