const priorities = { Highest: 'URGENT', High: 'HIGH', Medium: 'MEDIUM', Low: 'LOW' };
const mapped = new Set([
  'summary',
  'description',
  'status',
  'priority',
  'project',
  'creator',
  'assignee',
  'reporter',
  'issuetype',
  'parent',
  'labels',
  'components',
  'created',
  'updated',
  'duedate',
  'resolutiondate',
  'customfield_10002',
  'customfield_10003',
  'customfield_10004',
  'watches',
  'fixVersions',
  'attachment',
  'comment',
]);
// Date.parse reads an offset with a colon only by the standard, and without one on the slow path of V8.
const millisecondsOf = (text) => Date.parse(`${text.slice(0, 26)}:${text.slice(26)}`);
const seconds = (milliseconds) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

export default function map({ key, fields }) {
  const unmapped = {};
  for (const name of Object.keys(fields)) if (!mapped.has(name)) unmapped[name] = fields[name];
  const points = Number(fields.customfield_10003 ?? 0);
  const made = {
    id: key,
    name: fields.summary.trim(),
    summary: fields.summary.replace(/\s+/g, ' '),
    description: (fields.description ?? '').replace(/<[^>]*>/g, ''),
    status: fields.status.name.toLowerCase().replaceAll(' ', '_'),
    is_closed: /^(done|closed|resolved)$/i.test(fields.status.name),
    priority: priorities[fields.priority.name] ?? 'PLANNING',
    project: fields.project.key,
    url: `https://${fields.project.key.toLowerCase()}.example.com/browse/${key}`,
    creator: fields.creator.accountId,
    issue_type: fields.issuetype.name,
    tags: [...fields.labels, ...fields.components.map(({ name }) => name)].map((tag) =>
      tag.toLowerCase(),
    ),
    created_at: seconds(millisecondsOf(fields.created)),
    updated_at: seconds(millisecondsOf(fields.updated)),
    created_ms: millisecondsOf(fields.created),
    sprint: fields.customfield_10002?.[0]?.name ?? null,
    points: Number.isNaN(points) ? 0 : points,
    severity: fields.customfield_10004.value.replace(/^SEV-/, 'S'),
    watchers: fields.watches.watchCount,
    versions: fields.fixVersions.map(({ name }) => name),
    attachments: fields.attachment.map((file) => ({
      id: file.id,
      file_name: file.filename,
      creator: file.author.accountId,
      content_type: file.mimeType,
      size: file.size,
      created_at: millisecondsOf(file.created),
    })),
    comments: fields.comment.comments.map((comment) => ({
      id: comment.id,
      creator: comment.author.accountId,
      content: comment.body.replace(/<[^>]*>/g, '').trim(),
      created_at: comment.created,
      label: `${comment.author.displayName} at ${comment.created}`,
    })),
    unmapped,
  };
  if (fields.assignee?.accountId != null) made.assignee = fields.assignee.accountId;
  if (fields.reporter?.emailAddress != null)
    made.contact = fields.reporter.emailAddress.toLowerCase();
  if (fields.parent?.key != null) made.parent = fields.parent.key;
  if (fields.duedate !== null) made.due_date = `${fields.duedate}T00:00:00Z`;
  if (fields.resolutiondate != null) made.completion_date = fields.resolutiondate;
  return made;
}
