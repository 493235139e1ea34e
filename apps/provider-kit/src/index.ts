export { faultsOfResponse } from './validate-response.js';
