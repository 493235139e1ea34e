import { Description } from '../../../test/simulators/description.js';
import { github } from '../../../test/simulators/github/github.js';

/** Pages of issues are followed by a cursor in the links, which the description does not have: https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api */
export const undescribed = /\/issues 200: query parameter after is not/;

export const description = new Description(github.description);
