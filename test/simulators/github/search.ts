import { invalid, refuse } from './refusals.js';
import { fullName, type Issue, type Repository, type World } from './world.js';

export interface Found {
  repository: Repository;
  issue: Issue;
}

type Test = (found: Found) => boolean;

/** The common qualifiers of the search, each of which may be negated by a minus. */
const qualifiers: Record<string, (value: string) => Test> = {
  repo:
    (value) =>
    ({ repository }) =>
      fullName(repository).toLowerCase() === value,
  is: (value) => is(value),
  type: (value) => is(value === 'pr' ? 'pull-request' : value),
  state: (value) => is(value),
  label:
    (value) =>
    ({ issue }) =>
      issue.labels.some(({ name }) => name.toLowerCase() === value),
  author:
    (value) =>
    ({ issue }) =>
      issue.user.login === value,
  assignee:
    (value) =>
    ({ issue }) =>
      issue.assignees.some(({ login }) => login === value),
  created: (value) => range(value, ({ issue }) => issue.created),
  updated: (value) => range(value, ({ issue }) => issue.updated),
  in: () => () => true,
};

export function searchIssues(world: World, query: string): Found[] {
  const parts = query.match(/(?:[^\s"]+:)?"[^"]*"|\S+/g) ?? [];
  if (!parts.some((part) => /^(?:is|type):(?:issue|pr|pull-request)$/.test(part)))
    throw refuse(422, "Query must include 'is:issue' or 'is:pull-request'");
  const tests = parts.map(testOf);
  return world.repositories
    .flatMap((repository) => repository.issues.map((issue) => ({ repository, issue })))
    .filter(({ issue }) => issue.gone === null)
    .filter((found) => tests.every((test) => test(found)));
}

function testOf(part: string): Test {
  const [, minus, name = '', quoted, plain] =
    /^(-?)(?:([a-z]+):)?(?:"([^"]*)"|(.*))$/i.exec(part) ?? [];
  const value = (quoted ?? plain ?? '').toLowerCase();
  const make = qualifiers[name.toLowerCase()];
  const test: Test =
    make === undefined
      ? ({ issue }) => `${issue.title} ${issue.body ?? ''}`.toLowerCase().includes(value)
      : make(value);
  return minus === '-' ? (found) => !test(found) : test;
}

function is(value: string): Test {
  return ({ issue }) =>
    value === 'issue' || value === 'pull-request'
      ? issue.isPullRequest === (value === 'pull-request')
      : issue.state === value;
}

/** `>=2026-01-01`, `<2026-01-01T10:00:00Z`, `2026-01-01..2026-02-01`. */
function range(value: string, of: (found: Found) => Date): Test {
  const [, low, high] = /^(.+)\.\.(.+)$/.exec(value) ?? [];
  if (low !== undefined && high !== undefined) {
    const [from, to] = [moment(low), moment(high)];
    return (found) => of(found).getTime() >= from && of(found).getTime() <= to;
  }
  const [, sign = '', date = ''] = /^(>=|<=|>|<)?(.+)$/.exec(value) ?? [];
  const bound = moment(date);
  return (found) => {
    const time = of(found).getTime();
    if (sign === '>') return time > bound;
    if (sign === '>=') return time >= bound;
    if (sign === '<') return time < bound;
    if (sign === '<=') return time <= bound;
    return new Date(time).toISOString().toLowerCase().startsWith(date);
  };
}

function moment(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid('Search', [{ field: 'q', code: 'invalid' }]);
  return time;
}
