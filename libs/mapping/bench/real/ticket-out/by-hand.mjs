const priorities = { URGENT: 'Highest', HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low' };
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const capitalize = (text) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
const day = (text) => new Date(text).toISOString().slice(0, 10);
const minute = (text) => {
  const iso = new Date(text).toISOString();
  return `${iso.slice(8, 10)} ${months[iso.slice(5, 7) - 1]} ${iso.slice(0, 4)} ${iso.slice(11, 16)}`;
};

export default function map(ticket) {
  const custom = ticket.custom_fields ?? {};
  const points = Number(custom.points ?? 0);
  const fields = {
    summary: ticket.name.trim().slice(0, 120),
    project: { key: ticket.project.toUpperCase() },
    issuetype: { id: ticket.issue_type },
    priority: {},
    labels: ticket.tags.map((tag) => tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')),
    reporter: { accountId: ticket.creator },
    description: {
      type: 'doc',
      version: 1,
      content: ticket.description
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line.trim() }] })),
    },
    environment: `${ticket.environment} (${ticket.region.toUpperCase()}), reported ${minute(ticket.created_at)}`,
    customfield_10001: custom.team,
    customfield_10003: Number.isNaN(points) ? 0 : points,
    customfield_10004: { value: `SEV-${custom.severity}` },
    components: [...ticket.components, ...(custom.extra_components ?? [])].map((name) => ({
      name,
    })),
    versions: ticket.versions.map((name) => ({
      name: name.startsWith('v') ? name.slice(1) : name,
    })),
  };
  const priority = priorities[ticket.priority];
  if (priority !== undefined) fields.priority.name = priority;
  if (ticket.assignee !== null) fields.assignee = { accountId: ticket.assignee };
  if (ticket.parent != null) fields.parent = { key: ticket.parent };
  if (ticket.due_date != null) fields.duedate = day(ticket.due_date);
  if (custom.customer != null) fields.customfield_10005 = custom.customer;
  return {
    fields,
    update: {
      comment: ticket.comments.map((comment) => ({
        add: {
          body: `${comment.creator} wrote on ${day(comment.created_at)}: ${comment.content.replace(/\s+/g, ' ')}`,
          visibility: comment.is_internal ? { type: 'role', value: 'Agents' } : null,
        },
      })),
      issuelinks: ticket.links.map((link) => ({
        add: { type: { name: capitalize(link.kind) }, outwardIssue: { key: link.id } },
      })),
    },
    properties: [
      { key: 'origin', value: { id: ticket.id, updated: Date.parse(ticket.updated_at) } },
    ],
  };
}
