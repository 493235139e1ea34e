export { accountView } from './account-view.js';
export { AccountsModule } from './accounts.module.js';
