import { readFileSync } from 'node:fs';
import type { Allowance, SimulatorOptions, Vendor } from '#test/simulators';
import { refuse } from './refusals.js';
import { routes } from './routes.js';
import { createWorld, seed, type User } from './world.js';

const document = JSON.parse(
  readFileSync(new URL('./description/openapi.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;

/** GitHub's REST API with the organization octo-org. The users of `world.ts` may call it with their tokens. */
export const github: SimulatorOptions = {
  name: 'github',
  description: { document },
  create: createGitHub,
};

const versions = ['2022-11-28', '2026-03-10'];

function createGitHub(): Vendor<User> {
  const world = createWorld();
  return {
    routes: routes(world),
    seed: (count) => seed(world, count),
    authenticate: (headers) => {
      if (!headers['user-agent'])
        throw refuse(
          403,
          'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
        );
      const version = headers['x-github-api-version'];
      if (version !== undefined && !versions.includes(version))
        throw refuse(400, `${version} is not a supported version of the API`);
      const { authorization } = headers;
      if (authorization === undefined) throw refuse(401, 'Requires authentication');
      const token = /^(?:Bearer|token) (.+)$/i.exec(authorization)?.[1];
      const user = world.users.find((each) => each.token === token);
      if (user === undefined) throw refuse(401, 'Bad credentials');
      return user;
    },
    limited: (allowance, secondary) =>
      secondary
        ? refuse(
            403,
            'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
            {
              'retry-after': String(
                Math.max(1, Math.ceil((allowance.resetsAt - Date.now()) / 1_000)),
              ),
            },
          ).answer
        : refuse(403, 'API rate limit exceeded for user ID 1.', rateHeaders(allowance)).answer,
    headers: rateHeaders,
    malformed: () => refuse(400, 'Problems parsing JSON').answer,
    failure: (status) => refuse(status, messages[status] ?? 'Server Error').answer,
  };
}

const messages: Record<number, string> = {
  401: 'Bad credentials',
  403: 'Resource not accessible by personal access token',
  404: 'Not Found',
  410: 'This issue was deleted',
  422: 'Validation Failed',
};

function rateHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, remaining)),
    'x-ratelimit-used': String(limit - Math.max(0, remaining)),
    'x-ratelimit-reset': String(Math.ceil(resetsAt / 1_000)),
    'x-ratelimit-resource': 'core',
  };
}
