import { asText } from '#test/simulators';
import { invalid, refuse } from './refusals.js';
import { type Issue, now, type Repository, type User, type World } from './world.js';

type Input = Record<string, unknown>;

/** Sets fields of an issue from a request; refuses it with all faults at once. */
export function change(
  world: World,
  repository: Repository,
  issue: Issue,
  input: Input,
  by: User,
): void {
  const errors = [...wrongTexts(input), ...wrongPeople(world, input)];
  if (errors.length > 0) throw invalid('Issue', errors);
  if (input['title'] !== undefined && input['title'] !== null) issue.title = asText(input['title']);
  if (input['body'] !== undefined) issue.body = (input['body'] as string | null) || null;
  if (input['labels'] !== undefined)
    issue.labels = labelNames(input['labels']).map((name) => world.label(repository, name));
  const logins = loginsOf(input);
  if (logins !== undefined) issue.assignees = logins.flatMap((login) => world.user(login) ?? []);
  if (input['state'] !== undefined) setState(issue, input, by);
  issue.updated = now();
}

export function bodyOf(input: unknown): string {
  const body = (input as { body?: unknown } | undefined)?.body;
  if (typeof body !== 'string' || body.trim() === '')
    throw invalid('IssueComment', [{ field: 'body', code: 'missing_field' }]);
  if (body.length > maxBodyLength) throw invalid('IssueComment', [tooLong('body', maxBodyLength)]);
  return body;
}

function setState(issue: Issue, input: Input, by: User): void {
  const reason = input['state_reason'] as string | null | undefined;
  if (input['state'] === 'closed') {
    issue.stateReason = reason ?? issue.stateReason ?? 'completed';
    if (issue.state === 'closed') return;
    Object.assign(issue, { state: 'closed', closed: now(), closedBy: by });
  } else if (issue.state === 'closed')
    Object.assign(issue, { state: 'open', stateReason: 'reopened', closed: null, closedBy: null });
}

const maxTitleLength = 256;
const maxBodyLength = 65_536;

function wrongTexts({ title, body, milestone }: Input) {
  const errors: Parameters<typeof invalid>[1] = [];
  if (title === '') errors.push({ field: 'title', code: 'missing_field' });
  if (typeof title === 'string' && title.length > maxTitleLength)
    errors.push(tooLong('title', maxTitleLength));
  if (typeof body === 'string' && body.length > maxBodyLength)
    errors.push(tooLong('body', maxBodyLength));
  if (milestone !== undefined && milestone !== null)
    errors.push({ field: 'milestone', code: 'invalid', value: asText(milestone) });
  return errors;
}

function tooLong(field: string, maximum: number) {
  const message = `${field} is too long (maximum is ${maximum} characters)`;
  return { field, code: 'custom' as const, message };
}

function wrongPeople(world: World, input: Input) {
  const unknown = (loginsOf(input) ?? []).filter((login) => {
    const access = world.user(login)?.access ?? 'none';
    return access === 'none';
  });
  return unknown.map((value) => ({ field: 'assignees', code: 'invalid' as const, value }));
}

function loginsOf({ assignees, assignee }: Input): string[] | undefined {
  if (Array.isArray(assignees))
    return (assignees as (string | { login: string })[]).map((each) =>
      typeof each === 'string' ? each : each.login,
    );
  if (assignee === undefined) return undefined;
  return assignee === null || assignee === '' ? [] : [assignee as string];
}

function labelNames(labels: unknown): string[] {
  const names = (labels as (string | { name?: string })[]).map((label) =>
    typeof label === 'string' ? label : (label.name ?? ''),
  );
  if (names.some((name) => name.trim() === '')) throw refuse(422, 'Validation Failed');
  return [...new Set(names)];
}
