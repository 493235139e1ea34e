export { ManagementModule } from './management.module.js';
export { type ManagementOptions, openManagement, type OpenManagement } from './open-management.js';
