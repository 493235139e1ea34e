export { company } from './company.js';
export type { WorldLists } from './list-types.js';
export type * from './types.js';
export type * from './work-types.js';
export {
  makeWorld,
  worldListNames,
  type World,
  type WorldDataset,
  type WorldListName,
  type WorldOptions,
} from './world.js';
