export { Retention, type RetentionSettings } from './retention.js';
