export { ConnectSessionsModule } from './connect-sessions.module.js';
