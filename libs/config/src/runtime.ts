// The door for programs without configuration classes, whose libraries take 15 MB of memory.
export { type Clock, systemClock } from './clock.js';
export { environment } from './environment.js';
export { version } from './version.js';
