import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '#config';
import { PathAliases } from './path-aliases.js';

const aliases = new PathAliases([
  '/v1/tickets/{id}/remarks=/v1/ticketing/tickets/{id}/comments',
  '/v1/tickets=/v1/ticketing/tickets',
  '/v1/tickets/open = /v1/ticketing/projects',
  '/engine/v1/*=/v1/*',
  '/v1/pair/{a}/{b}=/v1/integrations/{b}/{a}',
]);
const resolve = (path: string, method = 'GET') => aliases.resolve(method, path);

describe('aliases of paths', () => {
  it.each([
    ['/v1/tickets', '/v1/ticketing/tickets'],
    ['/v1/tickets/', '/v1/ticketing/tickets/'],
    ['/v1/tickets/T-1', '/v1/ticketing/tickets/T-1'],
    ['/v1/tickets/T-1/remarks', '/v1/ticketing/tickets/T-1/comments'],
    ['/v1/tickets/a%2Fb/remarks/9', '/v1/ticketing/tickets/a%2Fb/comments/9'],
    ['/v1/tickets/open', '/v1/ticketing/projects'],
    ['/engine/v1/accounts', '/v1/accounts'],
    ['/v1/pair/x/y', '/v1/integrations/y/x'],
  ])('%s means %s', (old, ours) => {
    expect(resolve(old)).toBe(ours);
  });

  it.each(['/v1/accounts', '/v1/ticketsx', '/v1/pair//y', '/v1', '/', '/other', '/v1/TICKETS'])(
    'leave %s as it is',
    (path) => {
      expect(resolve(path)).toBe(path);
    },
  );

  it('change no path of the API, whatever its method', () => {
    const wide = new PathAliases(['/v1/{group}=/v1/ticketing']);
    expect(wide.resolve('GET', '/v1/accounts')).toBe('/v1/accounts');
    expect(wide.resolve('DELETE', '/v1/accounts')).toBe('/v1/accounts');
    expect(wide.resolve('GET', '/v1/desk/tickets')).toBe('/v1/ticketing/tickets');
  });

  it('are refused with every fault at once', () => {
    const make = () =>
      new PathAliases([
        '/v1/old',
        'v1/old=/v1/accounts',
        '/v1/old=/v1/nowhere',
        '/v1/old/{id}=/v1/accounts/{other}',
        '/v1/accounts/{id}=/v1/members/{id}',
        '/console/x=/v1/accounts',
        '/v1/same=/v1/accounts',
        '/v1/same/=/v1/members',
        '/v1/a b=/v1/accounts',
      ]);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      expect.objectContaining({
        problems: [
          'API_PATH_ALIASES has the entry /v1/old: must be a path, =, and a path of the API.',
          'API_PATH_ALIASES has the entry v1/old=/v1/accounts: before = must be a path such as /v1/tickets/{ticketId}.',
          'API_PATH_ALIASES has the entry /v1/old=/v1/nowhere: there is no path /v1/nowhere in the API.',
          'API_PATH_ALIASES has the entry /v1/old/{id}=/v1/accounts/{other}: {other} is missing before =.',
          'API_PATH_ALIASES has the entry /v1/accounts/{id}=/v1/members/{id}: /v1/accounts/{id} is a path of the API itself.',
          'API_PATH_ALIASES has the entry /console/x=/v1/accounts: /console is a path of the gateway itself.',
          'API_PATH_ALIASES has the entry /v1/a b=/v1/accounts: before = must be a path such as /v1/tickets/{ticketId}.',
          'API_PATH_ALIASES has several entries for /v1/same.',
        ],
      }),
    );
  });
});
