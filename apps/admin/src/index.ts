export { openKeys } from './keys.js';
export { organizations } from './organizations.js';
