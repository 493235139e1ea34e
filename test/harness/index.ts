export { testNatsUrl } from './ask-for-service.js';
export { busKeys } from './bus-keys.js';
export { freePort, takenPort } from './free-port.js';
export { type NatsServer, startNats } from './nats.js';
export { createRedmineProject, type Redmine, redmine, type RedmineProject } from './redmine.js';
export { type RunningSimulator, startSimulator } from './simulators.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
