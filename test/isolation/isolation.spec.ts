import { describe } from '@jest/globals';
import { listSpecs } from './list-specs.js';
import { pathSpecs } from './path-specs.js';
import { useTenants } from './tenants-of-run.js';
import { unknownIdSpecs } from './unknown-id-specs.js';

useTenants();
describe('lists', listSpecs);
describe('paths', pathSpecs);
// The last ones, because they create records.
describe('unknown ids', unknownIdSpecs);
