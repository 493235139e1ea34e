export { faultsOfResponse } from './validate-response.js';
export { ocsfFaults } from './ocsf-faults.js';
