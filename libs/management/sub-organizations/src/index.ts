export { SubOrganizationsModule } from './sub-organizations.module.js';
