// The three mappings that npm run bench -- mapping measures: an input, the template, the same by hand and in JSONata.
import { readFileSync } from 'node:fs';

const template = (name) => readFileSync(new URL(`./${name}.blobl`, import.meta.url), 'utf8');
const person = (n) => ({
  accountId: `u-${n}`,
  emailAddress: `u${n}@example.com`,
  displayName: `User ${n}`,
});
const time = '2026-01-12T08:30:00.000+0000';

const ticket = {
  key: 'ITS-1001',
  self: 'https://desk.example.com/rest/api/3/issue/10001',
  fields: {
    summary: 'VPN drops every thirty minutes',
    description: 'The client reconnects by itself, but calls are cut.',
    status: { id: '3', name: 'In Progress', statusCategory: { key: 'indeterminate' } },
    priority: { id: '2', name: 'High' },
    creator: person(1),
    assignee: person(2),
    reporter: person(3),
    project: { id: '10000', key: 'ITS', name: 'IT service' },
    issuetype: { id: '10004', name: 'Incident' },
    parent: null,
    labels: ['vpn', 'remote-work'],
    created: time,
    updated: time,
    duedate: '2026-02-01',
    resolutiondate: null,
    customfield_10001: { id: 'x', name: 'Network' },
    customfield_10002: [{ id: 7, name: 'Sprint 7', state: 'active' }],
    customfield_10003: 5,
    customfield_10004: { value: 'SEV-2' },
    customfield_10005: 'Acme',
    environment: 'production',
    votes: { votes: 3 },
    watches: { watchCount: 12 },
    progress: { percent: 40 },
    components: [{ name: 'vpn' }, { name: 'client' }],
    fixVersions: [{ name: '4.2' }],
    comment: {
      comments: Array.from({ length: 5 }, (_, n) => ({
        id: `c${n}`,
        author: person(n),
        body: `Comment number ${n}`,
        created: time,
      })),
    },
  },
};
const priorities = { Highest: 'URGENT', High: 'HIGH', Medium: 'MEDIUM', Low: 'LOW' };
const severities = ['critical', 'high', 'medium', 'low', 'info'];
const findings = {
  results: Array.from({ length: 100 }, (_, n) => ({
    id: `f-${n}`,
    severity: severities[n % 5],
    state: n % 3 ? 'open' : 'fixed',
    plugin: { name: `Finding ${n}`, cvss: { base: (n % 100) / 10 }, cve: [`CVE-2026-${n}`] },
    asset: { uuid: `a-${n}`, hostname: `HOST-${n}`, ipv4: `10.0.0.${n}` },
    first_found: time,
    last_found: time,
  })),
};
const user = {
  id: '00u1',
  status: 'ACTIVE',
  type: 'person',
  created: time,
  lastLogin: null,
  profile: {
    login: 'ana',
    firstName: 'Ana',
    lastName: 'Silva',
    email: 'Ana@Example.com',
    mobilePhone: null,
    primaryPhone: '+351 1',
  },
  groups: [
    { id: 'g1', name: 'Everyone' },
    { id: 'g2', name: 'Engineering' },
  ],
  risk: { level: null },
};

export const mappings = [
  {
    name: 'ticket, 40 fields',
    input: ticket,
    template: template('ticket'),
    byHand({ key, self, fields }) {
      const made = {
        id: key,
        name: fields.summary,
        summary: fields.summary,
        description: fields.description ?? '',
        status: fields.status.name.toLowerCase().replaceAll(' ', '_'),
        priority: priorities[fields.priority.name] ?? 'PLANNING',
        creator: fields.creator.accountId,
        project: fields.project.key,
        issue_type: fields.issuetype.id,
        tags: [...fields.labels],
        created_at: fields.created,
        updated_at: fields.updated,
        custom_fields: {
          team: fields.customfield_10001.name,
          sprint: fields.customfield_10002[0].name,
          points: fields.customfield_10003,
          severity: fields.customfield_10004.value,
          customer: fields.customfield_10005,
          environment: fields.environment,
        },
        unmapped: {
          votes: fields.votes.votes,
          watchers: fields.watches.watchCount,
          progress: fields.progress.percent,
          components: fields.components.map(({ name }) => name),
          versions: fields.fixVersions.map(({ name }) => name),
          url: self,
        },
        comments: fields.comment.comments.map(({ id, author, body, created }) => ({
          id,
          creator: author.accountId,
          content: body,
          created_at: created,
        })),
      };
      if (fields.assignee?.accountId != null) made.assignee = fields.assignee.accountId;
      if (fields.reporter?.emailAddress != null) made.contact = fields.reporter.emailAddress;
      if (fields.parent?.key != null) made.parent = fields.parent.key;
      if (fields.duedate != null) made.due_date = `${fields.duedate}T00:00:00Z`;
      if (fields.resolutiondate != null) made.completion_date = fields.resolutiondate;
      return made;
    },
    jsonata: `{"id": key, "name": fields.summary, "summary": fields.summary, "description": fields.description, "status": $replace($lowercase(fields.status.name), " ", "_"),
      "priority": $lookup({"Highest":"URGENT","High":"HIGH","Medium":"MEDIUM","Low":"LOW"}, fields.priority.name), "creator": fields.creator.accountId, "assignee": fields.assignee.accountId,
      "contact": fields.reporter.emailAddress, "project": fields.project.key, "issue_type": fields.issuetype.id, "parent": fields.parent.key, "tags": fields.labels, "created_at": fields.created,
      "updated_at": fields.updated, "due_date": fields.duedate & "T00:00:00Z",
      "custom_fields": {"team": fields.customfield_10001.name, "sprint": fields.customfield_10002[0].name, "points": fields.customfield_10003, "severity": fields.customfield_10004.value, "customer": fields.customfield_10005, "environment": fields.environment},
      "unmapped": {"votes": fields.votes.votes, "watchers": fields.watches.watchCount, "progress": fields.progress.percent, "components": [fields.components.name], "versions": [fields.fixVersions.name], "url": self},
      "comments": [fields.comment.comments.{"id": id, "creator": author.accountId, "content": body, "created_at": created}]}`,
  },
  {
    name: 'page of 100 findings',
    input: findings,
    template: template('findings'),
    byHand({ results }) {
      const found = results
        .map((f) => ({
          uid: f.id,
          title: f.plugin.name,
          severity_id: { critical: 5, high: 4, medium: 3, low: 2 }[f.severity] ?? 1,
          score: f.plugin.cvss.base,
          cves: f.plugin.cve,
          device: { uid: f.asset.uuid, hostname: f.asset.hostname.toLowerCase(), ip: f.asset.ipv4 },
          state: f.state === 'fixed' ? 'Resolved' : 'New',
          first_seen: f.first_found,
          last_seen: f.last_found,
        }))
        .filter((f) => f.severity_id >= 2);
      return { findings: found, count: found.length };
    },
    jsonata: `($found := [results.{"uid": id, "title": plugin.name, "severity_id": severity = "critical" ? 5 : severity = "high" ? 4 : severity = "medium" ? 3 : severity = "low" ? 2 : 1,
      "score": plugin.cvss.base, "cves": [plugin.cve], "device": {"uid": asset.uuid, "hostname": $lowercase(asset.hostname), "ip": asset.ipv4}, "state": state = "fixed" ? "Resolved" : "New",
      "first_seen": first_found, "last_seen": last_found}][severity_id >= 2]; {"findings": $found, "count": $count($found)})`,
  },
  {
    name: 'identity user',
    input: user,
    template: template('user'),
    byHand(u) {
      const made = {
        uid: u.id,
        name: u.profile.login,
        full_name: `${u.profile.firstName} ${u.profile.lastName}`,
        email_addr: u.profile.email.toLowerCase(),
        phone_number: u.profile.mobilePhone ?? u.profile.primaryPhone ?? null,
        is_enabled: u.status === 'ACTIVE',
        groups: u.groups.map(({ id, name }) => ({ uid: id, name })),
        type_id: u.type === 'service' ? 3 : 1,
        created_time: u.created,
        risk: typeof u.risk.level === 'string' ? u.risk.level.toUpperCase() : 'UNKNOWN',
      };
      if (u.lastLogin != null) made.last_login = u.lastLogin;
      return made;
    },
    jsonata: `{"uid": id, "name": profile.login, "full_name": profile.firstName & " " & profile.lastName, "email_addr": $lowercase(profile.email),
      "phone_number": profile.mobilePhone != null ? profile.mobilePhone : profile.primaryPhone, "is_enabled": status = "ACTIVE", "groups": [groups.{"uid": id, "name": name}],
      "type_id": type = "service" ? 3 : 1, "created_time": created, "risk": risk.level != null ? $uppercase(risk.level) : "UNKNOWN"}`,
  },
];
