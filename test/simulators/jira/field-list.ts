import type { Render } from './render.js';
import type { Site } from './site.js';

type Json = Record<string, unknown>;

interface SystemField {
  id: string;
  name: string;
  schema: { type: string; items?: string; system: string };
  required?: boolean;
  /** Cannot be set in a new issue. */
  readOnly?: boolean;
}

const systemFields: SystemField[] = [
  field('summary', 'Summary', 'string', { required: true }),
  field('issuetype', 'Issue Type', 'issuetype', { required: true }),
  field('project', 'Project', 'project', { required: true }),
  field('description', 'Description', 'string'),
  field('priority', 'Priority', 'priority'),
  {
    ...field('labels', 'Labels', 'array'),
    schema: { type: 'array', items: 'string', system: 'labels' },
  },
  field('duedate', 'Due date', 'date'),
  field('assignee', 'Assignee', 'user'),
  field('reporter', 'Reporter', 'user', { required: true }),
  field('parent', 'Parent', 'issuelink'),
  field('status', 'Status', 'status', { readOnly: true }),
  field('resolution', 'Resolution', 'resolution', { readOnly: true }),
  field('creator', 'Creator', 'user', { readOnly: true }),
  field('created', 'Created', 'datetime', { readOnly: true }),
  field('updated', 'Updated', 'datetime', { readOnly: true }),
];

/** `GET /field`: the fields of the site. */
export function listFields(site: Site): Json[] {
  const system = systemFields.map(({ id, name, schema }) => ({
    id,
    key: id,
    name,
    custom: false,
    orderable: true,
    navigable: true,
    searchable: true,
    clauseNames: [id],
    schema,
  }));
  const custom = site.customFields.map(({ id, name }) => ({
    id,
    key: id,
    name,
    custom: true,
    orderable: true,
    navigable: true,
    searchable: true,
    clauseNames: [`cf[${id.slice(12)}]`, name],
    schema: customSchema(site, id),
  }));
  return [...system, ...custom];
}

/** Lists the fields that a new issue of a type may have. */
export function createFields(
  site: Site,
  render: Render,
  project: string,
  subtask: boolean,
): Json[] {
  const values: Record<string, () => Json[]> = {
    priority: () => site.priorities.map((each) => render.priority(each)),
    issuetype: () => site.issueTypes.map((each) => render.issueType(each)),
    project: () =>
      site.projects.filter(({ key }) => key === project).map((each) => render.project(each)),
  };
  const system = systemFields
    .filter(({ readOnly }) => readOnly !== true)
    .map(({ id, name, schema, required }) => ({
      fieldId: id,
      key: id,
      name,
      required: required === true || (id === 'parent' && subtask),
      hasDefaultValue: id === 'reporter' || id === 'priority',
      operations: id === 'labels' ? ['add', 'set', 'remove'] : ['set'],
      schema,
      allowedValues: values[id]?.(),
    }));
  const custom = site.customFields.map(({ id, name, options }) => ({
    fieldId: id,
    key: id,
    name,
    required: false,
    hasDefaultValue: false,
    operations: ['set'],
    schema: customSchema(site, id),
    allowedValues: options.length > 0 ? options.map((each) => render.option(each)) : undefined,
  }));
  return [...system, ...custom];
}

function customSchema(site: Site, id: string): Json {
  const found = site.customFields.find((each) => each.id === id);
  const type = found?.type === 'options' ? 'array' : found?.type;
  return {
    type,
    ...(type === 'array' && { items: 'option' }),
    custom: found?.custom,
    customId: Number(id.slice(12)),
  };
}

function field(
  id: string,
  name: string,
  type: string,
  rest: { required?: boolean; readOnly?: boolean } = {},
): SystemField {
  return { id, name, schema: { type, system: id }, ...rest };
}
