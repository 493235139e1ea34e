import { readDescription } from '#test/harness';

/** Pages of issues are followed by a cursor in the links, which the description does not have: https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api */
export const undescribed = /\/issues 200: query parameter after is not/;

export const description = readDescription(new URL('description/openapi.json', import.meta.url));
