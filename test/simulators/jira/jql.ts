import {
  containsJqlWords,
  type JqlClause,
  type JqlOperand,
  type JqlQuery,
  parseJql,
  QueryFault,
} from '#fakes';
import { textOf } from './document-format.js';
import { readDate, readText } from './jql-values.js';
import { refuse } from './refusals.js';
import type { Issue, Named, Site, User } from './site.js';

type Value = string | number | string[] | null;

interface Field {
  /** rank: the lower the id, the higher. */
  kind: 'choice' | 'text' | 'date' | 'number' | 'key' | 'rank';
  /** The value that is compared and ordered by. */
  value: (issue: Issue) => Value;
  /** Known values, by any of their names; a query with another one is refused. */
  known?: () => { id: string; names: string[] }[];
}

/** Searches like Jira: `~` for texts, `=` for choices; unknown fields and values are refused. */
export class Search {
  private readonly fields: Record<string, Field>;

  constructor(
    private readonly site: Site,
    private readonly user: User,
  ) {
    this.fields = fieldsOf(site);
  }

  /** Returns the issues that a query finds, in its order; the newest first without one. */
  find(jql: string): Issue[] {
    const { where, orderBy } = parse(jql);
    if (where === undefined)
      throw refuse(400, [
        'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
      ]);
    const matches = this.predicate(where);
    const orders = orderBy.map(({ field, descending }) => ({
      field: this.field(field),
      descending,
    }));
    return this.site.issues.filter(matches).sort((one, other) => {
      for (const { field, descending } of orders) {
        const order = compare(field.value(one), field.value(other));
        if (order !== 0) return descending ? -order : order;
      }
      return Number(other.id) - Number(one.id);
    });
  }

  private predicate(clause: JqlClause): (issue: Issue) => boolean {
    if (clause.kind === 'not') {
      const inner = this.predicate(clause.clause);
      return (issue) => !inner(issue);
    }
    if (clause.kind !== 'compare') {
      const parts = clause.clauses.map((each) => this.predicate(each));
      return clause.kind === 'and'
        ? (issue) => parts.every((part) => part(issue))
        : (issue) => parts.some((part) => part(issue));
    }
    const { field: name, operator, operand } = clause;
    const field = this.field(name);
    if (!operatorsOf(field, operand).includes(operator))
      throw refuse(400, [`The operator '${operator}' is not supported by the '${name}' field.`]);
    const test = this.test(name, field, operator, operand);
    if (operator === 'is' || operator === 'is not') return (issue) => test(field.value(issue));
    // An empty field is neither equal nor unequal to anything.
    return (issue) => !isEmpty(field.value(issue)) && test(field.value(issue));
  }

  private test(
    name: string,
    field: Field,
    operator: string,
    operand: JqlOperand,
  ): (value: Value) => boolean {
    if (operand.kind === 'empty')
      return operator === 'is' || operator === '=' ? isEmpty : (value) => !isEmpty(value);
    if (operator === '~' || operator === '!~') {
      const pattern = readText(operand, this.user);
      return (value) => containsJqlWords(String(value), pattern) === (operator === '~');
    }
    const operands = operand.kind === 'list' ? operand.values : [operand];
    const wanted = operands.map((each) => this.read(name, field, each));
    if (['=', 'in', '!=', 'not in'].includes(operator)) {
      const positive = operator === '=' || operator === 'in';
      return (value) => [value].flat().some((each) => wanted.includes(each)) === positive;
    }
    const [bound = null] = wanted;
    return (value) => {
      const order = compare(value, bound);
      if (operator.startsWith('<')) return order < 0 || (operator === '<=' && order === 0);
      return order > 0 || (operator === '>=' && order === 0);
    };
  }

  private read(name: string, field: Field, operand: JqlOperand): Value {
    if (field.kind === 'date') return readDate(name, operand);
    const text = readText(operand, this.user);
    if (field.kind === 'number') return Number(text);
    const wanted = text.toLowerCase();
    const known = field.known?.();
    if (known === undefined) return wanted;
    const found = known.find(({ names }) => names.some((each) => each.toLowerCase() === wanted));
    if (found === undefined)
      throw refuse(400, [
        name.toLowerCase().includes('key')
          ? `An issue with key '${text}' does not exist for field '${name}'.`
          : `The value '${text}' does not exist for the field '${name}'.`,
      ]);
    if (field.kind === 'key') return Number(found.id);
    return field.kind === 'rank' ? -Number(found.id) : found.id;
  }

  private field(name: string): Field {
    const lower = name.toLowerCase();
    const custom = this.site.customFields.find(
      (each) => each.name.toLowerCase() === lower || `cf[${each.id.slice(12)}]` === lower,
    );
    const field = this.fields[custom?.id ?? lower];
    if (field === undefined)
      throw refuse(400, [
        `Field '${name}' does not exist or you do not have permission to view it.`,
      ]);
    return field;
  }
}

function parse(jql: string): JqlQuery {
  try {
    return parseJql(jql);
  } catch (error) {
    if (error instanceof QueryFault) throw refuse(400, [error.message]);
    throw error;
  }
}

const ranges = ['<', '<=', '>', '>='];

function operatorsOf({ kind }: Field, operand: JqlOperand): string[] {
  const empty = operand.kind === 'empty' ? ['is', 'is not'] : [];
  if (kind === 'text') return ['~', '!~', ...empty];
  const one = operand.kind === 'list' ? ['in', 'not in'] : ['=', '!='];
  return [...one, ...empty, ...(kind === 'choice' || operand.kind === 'list' ? [] : ranges)];
}

function fieldsOf(site: Site): Record<string, Field> {
  const named = (list: readonly (Named & { key?: string })[]) => () =>
    list.map(({ id, name, key }) => ({ id, names: [id, name, ...(key ? [key] : [])] }));
  const people = () =>
    site.users.map(({ accountId, displayName, emailAddress }) => ({
      id: accountId,
      names: [accountId, displayName, emailAddress],
    }));
  const keys = () => site.issues.map(({ id, key }) => ({ id, names: [id, key] }));
  const choice = (value: Field['value'], known?: Field['known']): Field =>
    known === undefined ? { kind: 'choice', value } : { kind: 'choice', value, known };
  const key: Field = { kind: 'key', value: ({ id }) => Number(id), known: keys };
  const type = choice(({ issuetype }) => issuetype.id, named(site.issueTypes));
  const updated: Field = { kind: 'date', value: ({ updated }) => updated.getTime() };
  const created: Field = { kind: 'date', value: ({ created }) => created.getTime() };
  const due: Field = {
    kind: 'date',
    value: ({ duedate }) => (duedate === null ? null : Date.parse(duedate)),
  };
  const text: Field = { kind: 'text', value: allText };
  const categories = [
    { id: 'new', names: ['new', 'To Do'] },
    { id: 'indeterminate', names: ['indeterminate', 'In Progress'] },
    { id: 'done', names: ['done', 'Done'] },
  ];
  return {
    key,
    id: key,
    issuekey: key,
    issue: key,
    project: choice(({ project }) => project.id, named(site.projects)),
    issuetype: type,
    type,
    status: choice(({ status }) => status.id, named(site.statuses)),
    statuscategory: choice(
      ({ status }) => status.category,
      () => categories,
    ),
    priority: {
      kind: 'rank',
      value: ({ priority }) => -Number(priority.id),
      known: named(site.priorities),
    },
    assignee: choice(({ assignee }) => assignee?.accountId ?? null, people),
    reporter: choice(({ reporter }) => reporter.accountId, people),
    creator: choice(({ creator }) => creator.accountId, people),
    parent: choice(({ parent }) => parent?.id ?? null, keys),
    labels: choice(({ labels }) => labels.map((label) => label.toLowerCase())),
    resolution: choice(
      ({ resolutiondate }) => (resolutiondate === null ? null : 'done'),
      () => [{ id: 'done', names: ['Done'] }],
    ),
    summary: { kind: 'text', value: ({ summary }) => summary },
    description: { kind: 'text', value: ({ description }) => textOf(description) || null },
    comment: {
      kind: 'text',
      value: ({ comments }) => comments.map(({ body }) => textOf(body)).join(' '),
    },
    text,
    created,
    createddate: created,
    updated,
    updateddate: updated,
    due,
    duedate: due,
    ...Object.fromEntries(site.customFields.map((field) => [field.id, customField(field)])),
  };
}

function customField({ id, type, options }: Site['customFields'][number]): Field {
  if (type === 'string')
    return { kind: 'text', value: ({ custom }) => (custom[id] as string | undefined) ?? null };
  if (type === 'number')
    return { kind: 'number', value: ({ custom }) => (custom[id] as number | undefined) ?? null };
  return {
    kind: 'choice',
    value: ({ custom }) => {
      const chosen = [custom[id] ?? []].flat() as Named[];
      return chosen.map((option) => option.id);
    },
    known: () => options.map((option) => ({ id: option.id, names: [option.id, option.name] })),
  };
}

function allText({ summary, description, comments }: Issue): string {
  return [summary, textOf(description), ...comments.map(({ body }) => textOf(body))].join(' ');
}

function isEmpty(value: Value): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function compare(one: Value, other: Value): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}
