import { readFileSync } from 'node:fs';
import { GraphqlDescription } from '../../../test/simulators/graphql-description.js';

const schema = new URL(
  '../../../test/simulators/linear/description/schema.graphql',
  import.meta.url,
);
export const description = new GraphqlDescription(readFileSync(schema, 'utf8'));

/** Files are at addresses of their own. */
export const undescribed = /\/storage\//;
