export { startAgent } from './start-agent.js';
