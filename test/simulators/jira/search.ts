import { createHash } from 'node:crypto';
import { type Answer, asText, type Exchange } from '#test/simulators';
import { Search } from './jql.js';
import { names } from './paging.js';
import { refuse } from './refusals.js';
import { Render } from './render.js';
import type { Site, User } from './site.js';

type Call = Exchange<User>;
type Json = Record<string, unknown>;

/** Searches with pages by a token that belongs to the query; without a total, and with `id` only by default. */
export function search(site: Site, call: Call, input: Json): Answer {
  const jql = asText(input['jql']);
  const fields = names(input['fields'], ['id']);
  const maxPageSize = fields.every((name) => name === 'id' || name === 'key') ? 5_000 : 100;
  const asked = Number(input['maxResults'] ?? 50);
  if (asked < 1) throw refuse(400, ['maxResults must be greater than 0.']);
  const maxResults = Math.min(asked, maxPageSize);
  const found = new Search(site, call.user).find(jql);
  const query = createHash('sha256').update(jql).digest('hex').slice(0, 16);
  const start = readToken(input['nextPageToken'], query);
  const rows = found.slice(start, start + maxResults);
  const isLast = start + maxResults >= found.length;
  const render = new Render(site, call.origin);
  return {
    status: 200,
    body: {
      issues: rows.map((issue) => render.issue(issue, fields)),
      isLast,
      ...(!isLast && {
        nextPageToken: Buffer.from(`${query}:${start + maxResults}`).toString('base64url'),
      }),
    },
  };
}

function readToken(token: unknown, query: string): number {
  if (token === undefined || token === null) return 0;
  const [of, start] = Buffer.from(asText(token), 'base64url').toString().split(':');
  if (of !== query || !/^\d+$/.test(start ?? ''))
    throw refuse(400, ['The nextPageToken is invalid or does not belong to this query.']);
  return Number(start);
}
