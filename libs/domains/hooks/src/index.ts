export { HookRequests } from './hook-requests.js';
export { HooksModule } from './hooks.module.js';
