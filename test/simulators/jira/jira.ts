import { readFileSync } from 'node:fs';
import type { Allowance, Answer, PlainRequest, SimulatorOptions, Vendor } from '#test/simulators';
import { Refusal } from '#test/simulators';
import { seed } from './fields.js';
import { type Downloads, routes } from './routes.js';
import { Site, type User } from './site.js';
import { serveWebhooks } from './webhooks.js';

const document = JSON.parse(
  readFileSync(new URL('./description/openapi.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;

/** Jira Cloud with a small site. The users of `site.ts` may call it with e-mail and token. */
export const jira: SimulatorOptions = {
  name: 'jira',
  description: {
    document,
    // Jira's own description declares hardly any field as required.
    required: {
      CreatedIssue: ['id', 'key', 'self'],
      IssueBean: ['id'],
      SearchAndReconcileRequestBean: ['jql'],
      SearchAndReconcileResults: ['issues', 'isLast'],
      PageBeanProject: ['values', 'isLast', 'total', 'startAt', 'maxResults'],
      PageOfComments: ['comments', 'total', 'startAt', 'maxResults'],
      Comment: ['body'],
      ErrorCollection: ['errorMessages', 'errors'],
      Transitions: ['transitions'],
      JQLCountRequestBean: ['jql'],
      JQLCountResultsBean: ['count'],
    },
    formats: { 'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{4}$/ },
  },
  create: createJira,
};

function createJira(): Vendor<User> {
  const site = new Site();
  const downloads: Downloads = new Map();
  seed(site, 12);
  const authenticate = ({ authorization = '' }: Record<string, string>) => {
    const [, encoded = ''] = /^Basic (.+)$/i.exec(authorization) ?? [];
    const pair = Buffer.from(encoded, 'base64').toString();
    const user = site.users.find((each) => `${each.emailAddress}:${each.token}` === pair);
    if (user === undefined) throw new Refusal(unauthenticated);
    return user;
  };
  return {
    routes: routes(site, downloads),
    seed: (count) => seed(site, count),
    authenticate,
    elsewhere: (request) =>
      serveWebhooks(site, request, authenticate) ?? download(downloads, request),
    limited: (allowance) => ({
      status: 429,
      headers: { ...rateHeaders(allowance), 'retry-after': secondsUntil(allowance.resetsAt) },
      body: { errorMessages: ['Rate limit exceeded.'], errors: {} },
    }),
    headers: rateHeaders,
    malformed: () => ({
      status: 400,
      body: {
        errorMessages: ['There was an error parsing JSON. Check that your request body is valid.'],
        errors: {},
      },
    }),
    failure: (status) =>
      status === 401
        ? unauthenticated
        : { status, body: { errorMessages: [`The request failed with ${status}.`], errors: {} } },
  };
}

/** The address of a file at the media host. */
function download(downloads: Downloads, { url, method }: PlainRequest): Answer | undefined {
  if (method !== 'GET' || url.pathname !== '/file/binary') return undefined;
  const file = downloads.get(url.searchParams.get('token') ?? '');
  return file === undefined
    ? { status: 404, body: { code: 'ResourceNotFound' } }
    : { status: 200, headers: { 'content-type': file.type }, body: file.content };
}

const unauthenticated: Answer = {
  status: 401,
  headers: {
    'content-type': 'text/html;charset=UTF-8',
    'www-authenticate': 'OAuth realm="https%3A%2F%2Fyour-domain.atlassian.net"',
  },
  body: Buffer.from('Client must be authenticated to access this resource.'),
};

function rateHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, remaining)),
    'x-ratelimit-reset': new Date(resetsAt).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
}

function secondsUntil(moment: number): string {
  return String(Math.max(1, Math.ceil((moment - Date.now()) / 1_000)));
}
