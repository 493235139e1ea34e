import { elasticsearch } from './elasticsearch.js';
import { fql } from './fql.js';
import { graphql } from './graphql.js';
import { jql } from './jql.js';
import { kql } from './kql.js';
import type { Language } from './language.js';
import { odata } from './odata.js';
import { scim } from './scim.js';
import { spl } from './spl.js';
import { sysparm } from './sysparm.js';

/** Every query language, by the name that documents use. */
export const languages: ReadonlyMap<string, Language> = new Map([
  ['elasticsearch', elasticsearch],
  ['fql', fql],
  ['graphql', graphql],
  ['jql', jql],
  ['kql', kql],
  ['odata', odata],
  ['scim', scim],
  ['spl', spl],
  ['sysparm', sysparm],
]);
