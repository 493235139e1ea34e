export { EmbeddedError, type EmbeddedFailure } from './embedded-error.js';
export {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from './embedded-postgres.js';
export {
  type DatabaseSettings,
  joinDatabase,
  type OpenDatabase,
  openDatabase,
} from './open-database.js';
