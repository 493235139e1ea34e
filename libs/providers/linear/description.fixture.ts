import { readFileSync } from 'node:fs';
import { GraphqlDescription } from '#test/harness';

const schema = new URL('description/schema.graphql', import.meta.url);
export const description = new GraphqlDescription(readFileSync(schema, 'utf8'));

/** Files are at addresses of their own. */
export const undescribed = /\/storage\//;
