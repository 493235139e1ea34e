import { asText } from '#test/simulators';
import { documentOf, isDocument } from './document-format.js';
import { faulty, refuse } from './refusals.js';
import type { CustomField, Issue, Named, Site, User } from './site.js';

type Input = Record<string, unknown>;
type Errors = Record<string, string>;
type Writer = (issue: Issue, value: never, site: Site) => string | undefined;

/** Fields that can be set on an issue, each with its error for an invalid value. */
const writers: Record<string, Writer> = {
  summary: (issue, value: unknown) => {
    if (typeof value !== 'string' || value.trim() === '')
      return 'You must specify a summary of the issue.';
    if (value.includes('\n'))
      return 'The summary is invalid because it contains newline characters.';
    if (value.length > 255) return 'Summary must be less than 255 characters.';
    issue.summary = value;
    return undefined;
  },
  description: (issue, value: unknown) => {
    if (value !== null && !isDocument(value))
      return 'Operation value must be an Atlassian Document (see the Atlassian Document Format)';
    issue.description = value;
    return undefined;
  },
  issuetype: (issue, value: Input | null, { issueTypes }) => {
    const type = issueTypes.find(
      ({ id, name }) => id === value?.['id'] || name === value?.['name'],
    );
    if (type === undefined) return 'Specify a valid issue type';
    issue.issuetype = type;
    return undefined;
  },
  priority: (issue, value: Input | null, { priorities }) => {
    const priority = priorities.find(
      ({ id, name }) => id === value?.['id'] || name === value?.['name'],
    );
    if (priority === undefined)
      return `Priority '${asText(value?.['id'] ?? value?.['name'])}' is not valid`;
    issue.priority = priority;
    return undefined;
  },
  labels: (issue, value: unknown) => {
    if (!Array.isArray(value) || value.some((label) => typeof label !== 'string'))
      return 'data was not an array';
    const spaced = (value as string[]).find((label) => /\s/.test(label));
    if (spaced !== undefined) return `The label '${spaced}' contains spaces which is invalid.`;
    issue.labels = [...new Set(value as string[])];
    return undefined;
  },
  duedate: (issue, value: unknown) => {
    if (value !== null && (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)))
      return `Error parsing date string: ${asText(value)}`;
    issue.duedate = value;
    return undefined;
  },
  assignee: (issue, value: Input | null, site) => {
    if (value === null) {
      issue.assignee = null;
      return undefined;
    }
    const user = personOf(value, site);
    if (user === undefined) return `User '${asText(accountOf(value))}' does not exist.`;
    issue.assignee = user;
    return undefined;
  },
  reporter: (issue, value: Input | null, site) => {
    const user = value === null ? undefined : personOf(value, site);
    if (user === undefined) return 'The reporter specified is not a user.';
    issue.reporter = user;
    return undefined;
  },
  parent: (issue, value: Input | null, site) => {
    const parent = value === null ? null : site.issue(asText(value['key'] ?? value['id']));
    if (parent === undefined || parent === issue) return 'Could not find issue by id or key.';
    issue.parent = parent;
    return undefined;
  },
};

/** Sets the fields in `fields` and `update` of a request; refuses it with all faults at once. */
export function write(issue: Issue, body: Input, site: Site, author: User): void {
  const errors: Errors = {};
  const draft = { ...issue, custom: { ...issue.custom }, comments: [...issue.comments] };
  for (const [name, value] of Object.entries((body['fields'] ?? {}) as Input))
    set(draft, name, value, site, errors);
  for (const [name, verbs] of Object.entries((body['update'] ?? {}) as Record<string, Input[]>))
    for (const verb of verbs) change(draft, name, verb, site, author, errors);
  if (draft.issuetype.subtask && draft.parent === null)
    errors['issuetype'] = 'Issue type is a sub-task but parent issue key or id not specified.';
  if (Object.keys(errors).length > 0) throw faulty(errors);
  Object.assign(issue, draft, { updated: new Date() });
}

function set(issue: Issue, name: string, value: unknown, site: Site, errors: Errors): void {
  const custom = site.customFields.find(({ id }) => id === name);
  const writer = writers[name] as
    ((issue: Issue, value: unknown, site: Site) => string | undefined) | undefined;
  const error =
    custom === undefined
      ? writer === undefined
        ? `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`
        : writer(issue, value, site)
      : setCustom(issue, custom, value);
  if (error !== undefined) errors[name] = error;
}

function setCustom(issue: Issue, field: CustomField, value: unknown): string | undefined {
  const wrong = value !== null && wrongCustom(field, value);
  if (wrong) return wrong;
  const chosen = (option: unknown) => optionOf(field, option as Input) ?? null;
  if (value === null) delete issue.custom[field.id];
  else if (field.type === 'option') issue.custom[field.id] = chosen(value);
  else if (field.type === 'options') issue.custom[field.id] = (value as unknown[]).map(chosen);
  else issue.custom[field.id] = value;
  return undefined;
}

function wrongCustom(field: CustomField, value: unknown): string | undefined {
  if (field.type === 'string')
    return typeof value === 'string' ? undefined : 'Operation value must be a string';
  if (field.type === 'number')
    return typeof value === 'number' ? undefined : 'Operation value must be a number';
  if (field.type === 'options' && !Array.isArray(value)) return 'data was not an array';
  const unknown = [value].flat().find((option) => optionOf(field, option as Input) === undefined);
  return unknown === undefined ? undefined : "Specify a valid 'id' or 'name' for " + field.name;
}

function optionOf({ options }: CustomField, wanted: Input | null): Named | undefined {
  return options.find(({ id, name }) => id === wanted?.['id'] || name === wanted?.['value']);
}

/** One verb of `update`: `{set: …}`, for labels also `{add: …}` and `{remove: …}`, for comments `{add: {body}}`. */
function change(
  issue: Issue,
  name: string,
  verb: Input,
  site: Site,
  author: User,
  errors: Errors,
): void {
  if ('set' in verb) set(issue, name, verb['set'], site, errors);
  else if (name === 'labels' && 'add' in verb)
    set(issue, name, [...issue.labels, verb['add']], site, errors);
  else if (name === 'labels' && 'remove' in verb)
    issue.labels = issue.labels.filter((label) => label !== verb['remove']);
  else if (name === 'comment' && 'add' in verb)
    issue.comments.push(newComment(site, (verb['add'] as Input)['body'], author));
  else errors[name] = `Field '${name}' does not support the operation.`;
}

export function newComment(site: Site, body: unknown, author: User): Issue['comments'][number] {
  if (body === undefined || body === null)
    throw faulty({ comment: 'Comment body can not be empty!' });
  if (!isDocument(body)) throw faulty({ comment: 'Comment body is not valid!' });
  const now = new Date();
  return { id: site.nextId(), body, author, created: now, updated: now };
}

/** Creates an issue from a request. */
export function createIssue(site: Site, body: Input, creator: User): Issue {
  const fields = { ...((body['fields'] ?? {}) as Input) };
  const wanted = fields['project'] as Input | undefined;
  const project = site.projects.find(
    ({ id, key }) => id === wanted?.['id'] || key === wanted?.['key'],
  );
  if (project === undefined)
    throw faulty({
      project:
        wanted === undefined ? 'Specify a valid project ID or key' : 'valid project is required',
    });
  if (!('issuetype' in fields)) throw faulty({ issuetype: 'Specify an issue type' });
  if (!('summary' in fields)) throw faulty({ summary: 'You must specify a summary of the issue.' });
  if (site.issues.length >= 50_000) throw refuse(400, ['The simulator keeps 50,000 issues.']);
  delete fields['project'];
  const now = new Date();
  const issue: Issue = {
    id: '',
    key: '',
    project,
    issuetype: site.issueTypes[0] as Issue['issuetype'],
    summary: '',
    description: null,
    priority: site.priorities[2] as Named,
    status: site.status('To Do'),
    labels: [],
    duedate: null,
    assignee: null,
    reporter: creator,
    creator,
    parent: null,
    created: now,
    updated: now,
    resolutiondate: null,
    custom: {},
    comments: [],
    attachments: [],
  };
  write(issue, { ...body, fields }, site, creator);
  project.issues += 1;
  Object.assign(issue, { id: site.nextId(), key: `${project.key}-${project.issues}` });
  issue.updated = issue.created = now;
  site.issues.push(issue);
  return issue;
}

function personOf(value: Input, { users }: Site): User | undefined {
  return users.find(({ accountId }) => accountId === accountOf(value));
}

function accountOf(value: Input): unknown {
  return value['accountId'] ?? value['id'];
}

const hour = 3_600_000;

/** Creates issues an hour apart, the last of them an hour ago. */
export function seed(site: Site, count: number): void {
  const [agent, , other] = site.users as [User, User, User];
  for (let index = 0; index < count; index += 1) {
    const number = site.issues.length + 1;
    const issue = createIssue(
      site,
      {
        fields: {
          project: { key: number % 3 === 0 ? 'WEB' : 'OPS' },
          issuetype: { name: ['Task', 'Bug', 'Story'][number % 3] },
          summary: `Seeded issue ${number}`,
          description: documentOf(`What happened in number ${number}`),
          priority: { id: String((number % 5) + 1) },
          labels: number % 2 === 0 ? ['seeded', 'even'] : ['seeded'],
          assignee: number % 4 === 0 ? { accountId: other.accountId } : null,
          customfield_10011: `Customer ${number % 3}`,
        },
      },
      agent,
    );
    issue.created = issue.updated = new Date(issue.created.getTime() - (count - index) * hour);
  }
}
