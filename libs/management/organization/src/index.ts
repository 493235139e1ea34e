export { organizationContact, organizationView } from './organization-view.js';
export { organizationState } from './organization-state.js';
export { OrganizationModule } from './organization.module.js';
