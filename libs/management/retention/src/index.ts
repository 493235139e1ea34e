export { Upkeep, type UpkeepSettings } from './upkeep.js';
