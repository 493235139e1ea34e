/* eslint-disable @typescript-eslint/no-unsafe-member-access -- A description is JSON of any shape. */
import { sharedDescription } from '#test/harness';

// The server of the description ends with /rest.
export const description = sharedDescription('snyk.json', {}, (document) => {
  const paths = Object.entries(document.paths as Record<string, object>);
  document.paths = Object.fromEntries(paths.map(([path, item]) => [`/rest${path}`, item]));
});

/** Tokens are of another description. */
export const undescribed = /\/oauth2\/token/;
