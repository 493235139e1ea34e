import type { Native } from '#connect';

/** What the mock calls its severities, most urgent first. */
const priorities: Readonly<Record<string, string>> = {
  P1: 'URGENT',
  P2: 'CRITICAL',
  P3: 'HIGH',
  P4: 'MEDIUM',
  P5: 'LOW',
};
const severities: Readonly<Record<string, string>> = {
  URGENT: 'P1',
  CRITICAL: 'P2',
  HIGH: 'P3',
  MEDIUM: 'P4',
  MODERATE: 'P4',
  LOW: 'P5',
  PLANNING: 'P5',
};

/** The mock's ticket in our shape; what we have no field for goes to `unmapped`. */
export function ticket(native: Native): Native {
  const {
    id,
    title,
    name,
    body,
    state,
    severity,
    reporter,
    owner,
    contact,
    project,
    kind,
    parent,
  } = native;
  const { labels, opened, changed, due, closed_on, fields, ...rest } = without(native, [
    ...['id', 'title', 'name', 'body', 'state', 'severity', 'reporter', 'owner', 'contact'],
    ...['project', 'kind', 'parent'],
  ]);
  return present({
    id,
    name: name ?? title,
    summary: title,
    description: body,
    status: state,
    priority: typeof severity === 'string' ? priorities[severity] : undefined,
    creator: reporter,
    assignee: owner,
    contact,
    project,
    issue_type: kind,
    parent,
    tags: labels,
    created_at: opened,
    updated_at: changed,
    due_date: due,
    completion_date: closed_on,
    custom_fields: fields,
    unmapped: Object.keys(rest).length === 0 ? undefined : rest,
  });
}

/** A ticket in our shape as the mock takes it. A ticket without a summary is called by its name. */
export function ticketRequest(ours: Native): Native {
  const { priority } = ours;
  return present({
    title: ours['summary'] ?? ours['name'],
    name: ours['name'],
    body: ours['description'],
    state: ours['status'],
    severity: typeof priority === 'string' ? severities[priority] : undefined,
    reporter: ours['creator'],
    owner: ours['assignee'],
    contact: ours['contact'],
    project: ours['project'],
    kind: ours['issue_type'],
    parent: ours['parent'],
    labels: ours['tags'],
    due: ours['due_date'],
    closed_on: ours['completion_date'],
    fields: ours['custom_fields'],
  });
}

export function comment(native: Native): Native {
  return present({
    id: native['id'],
    ticket_id: native['ticket'],
    creator: native['author'],
    content: native['text'],
    created_at: native['at'],
    updated_at: native['changed'],
  });
}

export function note(native: Native): Native {
  return { ...comment(native), title: native['title'] };
}

export function textRequest(ours: Native): Native {
  return present({ author: ours['creator'], title: ours['title'], text: ours['content'] });
}

export function attachment(native: Native): Native {
  return present({
    id: native['id'],
    ticket_id: native['ticket'],
    file_name: native['name'],
    file_type: native['type'],
    file_size: Buffer.byteLength(String(native['content']), 'base64'),
    created_date: native['at'],
    creator: native['author'],
  });
}

export function attachmentFile(native: Native): Native {
  return { file_name: native['name'], file_type: native['type'], content: native['content'] };
}

export function remoteField(native: Native): Native {
  const { id, title, kind, values, scope, project } = native;
  return present({
    field_id: id,
    provider_field_name: title,
    provider_field_path: scope === 'standard' ? id : `fields.${String(id)}`,
    field_scope: scope,
    project_id: project,
    schema: present({ field_type_id: kind, enum_values: values }),
  });
}

export function agent(native: Native): Native {
  return present({
    uid: native['id'],
    full_name: native['name'],
    email_addr: native['mail'],
    phone_number: native['phone'],
    time_zone: native['zone'],
    job_title: native['title'],
  });
}

function present(record: Native): Native {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined && value !== null),
  );
}

function without(record: Native, names: readonly string[]): Native {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
