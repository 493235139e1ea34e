export { EmbeddedError, type EmbeddedFailure } from './embedded-error.js';
export {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from './embedded-postgres.js';
