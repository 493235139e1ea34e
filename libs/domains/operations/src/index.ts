export { JobRequests } from './job-requests.js';
export { OperationsModule } from './operations.module.js';
