export { testNatsUrl } from './ask-for-service.js';
export { type NatsServer, startNats } from './nats.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
