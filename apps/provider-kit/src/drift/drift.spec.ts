import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ProviderFolder } from '../folders.js';
import { descriptionSourceOf, findDrift, reportDrift } from './drift.js';

const document = `
proof:
  - { by: vendor-description, what: Acme's own, package: acme-api, file: openapi.json }
operations:
  ticketing_query_tickets:
    steps:
      - name: list
        path: /issues
        query: root.state = "open"
    rows: this.steps.list.issues
  ticketing_get_ticket:
    steps: [{ path: '/issues/{this.path.ticketId}' }]
  ticketing_delete_comment:
    steps: [{ method: DELETE, path: '/comments/{this.path.commentId}' }]
`;
const mapping = `
templates:
  default: |
    root.id = this.number
    root.status = match this.state { "open" => "OPEN", "closed" => "DONE" }
    root.priority = this.urgency
`;

const string = { type: 'string' };
const answer = (schema: object) => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const issueRef = { $ref: '#/components/schemas/Issue' };
/** A description with the issue's properties, the parameter of the list, and more paths. */
const describeApi = (properties: object, parameters: object[], more: object = {}) => ({
  openapi: '3.0.3',
  paths: {
    '/v2/issues': {
      get: {
        parameters,
        ...answer({ type: 'object', properties: { issues: { type: 'array', items: issueRef } } }),
      },
    },
    '/v2/issues/{id}': { get: answer(issueRef) },
    ...more,
  },
  components: { schemas: { Issue: { type: 'object', properties } } },
});
const state = (...values: string[]) => ({ type: 'string', enum: values });
const before = describeApi(
  { number: string, state: state('open', 'closed'), urgency: string, colour: string },
  [{ in: 'query', name: 'state', schema: string }],
  { '/v2/comments/{id}': { delete: { responses: { 204: {} } } } },
);

let root: string;
let folder: ProviderFolder;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'onefold-drift-'));
  mkdirSync(join(root, 'acme/mappings'), { recursive: true });
  folder = new ProviderFolder('acme', pathToFileURL(`${root}/`), { isBuiltIn: false });
  writeFileSync(join(root, 'acme/provider.yaml'), document);
  writeFileSync(join(root, 'acme/mappings/ticket.yaml'), mapping);
});
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, content: object | string): URL {
  const path = join(root, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return pathToFileURL(path);
}

function report(after: object | string, earlier?: object | string): string[] {
  const end = typeof after === 'string' ? 'graphql' : 'json';
  const old = earlier === undefined ? undefined : write(`before.${end}`, earlier);
  return reportDrift(folder, findDrift(folder, write(`after.${end}`, after), old));
}

it('finds no difference between equal descriptions', () => {
  expect(report(before, before)).toEqual(['acme: no difference']);
});

it('names operations, parameters, fields and values that are used and are gone', () => {
  const after = describeApi({ number: string, state: state('open') }, []);
  expect(report(after, before)).toEqual([
    'acme: gone: parameter GET /v2/issues: state',
    'acme: gone: value Issue.state = closed',
    'acme: gone: field Issue.urgency', // and not the colour, which nothing reads
    'acme: gone: operation DELETE /v2/comments/{id}',
  ]);
});

it('names what is deprecated, with and without an earlier description', () => {
  const after = describeApi(
    {
      number: string,
      state: state('open', 'closed'),
      urgency: { ...string, deprecated: true },
      colour: { ...string, deprecated: true },
    },
    [{ in: 'query', name: 'state', schema: string, deprecated: true }],
    { '/v2/comments/{id}': { delete: { deprecated: true, responses: { 204: {} } } } },
  );
  const deprecated = [
    'acme: deprecated: parameter GET /v2/issues: state',
    'acme: deprecated: field Issue.urgency',
    'acme: deprecated: operation DELETE /v2/comments/{id}',
  ];
  expect(report(after, before)).toEqual(deprecated);
  expect(report(after)).toEqual(deprecated);
});

it('names calls that a description does not have, where no earlier one is at hand', () => {
  expect(report(describeApi({}, []))).toEqual([
    'acme: not described: DELETE /comments/{this.path.commentId}',
  ]);
});

it('names what is new in the operations that are called', () => {
  const after = describeApi(
    {
      number: string,
      state: state('open', 'closed', 'stale'),
      urgency: string,
      colour: state('red'),
      owner: { type: 'object', properties: { name: string } },
    },
    [
      { in: 'query', name: 'state', schema: string },
      { in: 'query', name: 'since', schema: string },
    ],
    {
      '/v2/comments/{id}': { delete: { responses: { 204: {} } } },
      '/v2/people': { get: answer({ type: 'object', properties: { number: string } }) },
    },
  );
  expect(report(after, before)).toEqual([
    'acme: new: parameter GET /v2/issues: since',
    'acme: new: value Issue.state = stale', // and not the colour's, which nothing reads
    'acme: new: field Issue.owner', // and not what is in it
  ]);
});

it('compares schemas of GraphQL', () => {
  const old =
    'type Query { issues(state: State, after: Int): [Issue] }\ntype Issue { number: Int, urgency: Int }\nenum State { open closed }';
  const after =
    'type Query { issues(state: State): [Issue] }\ntype Issue { number: Int @deprecated(reason: "use id"), id: ID }\nenum State { open }';
  expect(report(after, old)).toEqual([
    'acme: gone: field Issue.urgency',
    'acme: gone: value State = closed',
    'acme: deprecated: field Issue.number',
    'acme: new: field Issue.id',
  ]);
});

it('knows the package of the description, and refuses what is none', () => {
  expect(descriptionSourceOf(folder)).toMatchObject({ package: 'acme-api', file: 'openapi.json' });
  expect(() => report({ info: {} })).toThrow(/after\.json is neither an OpenAPI description/);
});
