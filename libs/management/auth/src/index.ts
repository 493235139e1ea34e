export { AuthModule } from './auth.module.js';
export { type AuthCode, logonRefused } from './logon-refused.js';
export { type LogonResult, signIn } from './sign-in.js';
