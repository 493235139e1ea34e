import { timeZone } from './site.js';
import type {
  Attachment,
  Comment,
  CustomField,
  Issue,
  Project,
  Site,
  Status,
  User,
} from './site.js';

type Json = Record<string, unknown>;

/** Jira's responses, in the form of its description. */
export class Render {
  constructor(
    private readonly site: Site,
    private readonly origin: string,
  ) {}

  self(path: string): string {
    return `${this.origin}/rest/api/3/${path}`;
  }

  /** Jira writes offsets without a colon, which is not valid RFC 3339. */
  static time(date: Date): string {
    return date.toISOString().replace('Z', '+0000');
  }

  user({ accountId, displayName, emailAddress }: User): Json {
    return {
      self: this.self(`user?accountId=${accountId}`),
      accountId,
      accountType: 'atlassian',
      emailAddress,
      displayName,
      active: true,
      timeZone,
    };
  }

  project({ id, key, name }: Project): Json {
    return {
      self: this.self(`project/${id}`),
      id,
      key,
      name,
      projectTypeKey: 'software',
      simplified: false,
      style: 'classic',
      isPrivate: false,
    };
  }

  status({ id, name, category }: Status): Json {
    const categories = {
      new: [2, 'To Do', 'blue-gray'],
      indeterminate: [4, 'In Progress', 'yellow'],
      done: [3, 'Done', 'green'],
    } as const;
    const [categoryId, categoryName, colorName] = categories[category];
    return {
      self: this.self(`status/${id}`),
      id,
      name,
      statusCategory: {
        self: this.self(`statuscategory/${categoryId}`),
        id: categoryId,
        key: category,
        colorName,
        name: categoryName,
      },
    };
  }

  issueType({ id, name, subtask }: Issue['issuetype']): Json {
    return {
      self: this.self(`issuetype/${id}`),
      id,
      name,
      subtask,
      hierarchyLevel: subtask ? -1 : 0,
    };
  }

  priority({ id, name }: Issue['priority']): Json {
    return {
      self: this.self(`priority/${id}`),
      id,
      name,
      iconUrl: `${this.origin}/images/${id}.svg`,
    };
  }

  option({ id, name }: CustomField['options'][number]): Json {
    return { self: this.self(`customFieldOption/${id}`), id, value: name };
  }

  comment(issue: Issue, { id, body, author, created, updated, visibility }: Comment): Json {
    return {
      self: this.self(`issue/${issue.id}/comment/${id}`),
      id,
      body,
      author: this.user(author),
      updateAuthor: this.user(author),
      created: Render.time(created),
      updated: Render.time(updated),
      jsdPublic: true,
      visibility,
    };
  }

  comments(issue: Issue, page: Comment[], startAt: number, maxResults: number): Json {
    return {
      comments: page.map((comment) => this.comment(issue, comment)),
      maxResults,
      startAt,
      total: issue.comments.length,
    };
  }

  attachment({ id, filename, author, created, content, mimeType }: Attachment): Json {
    return {
      self: this.self(`attachment/${id}`),
      id,
      filename,
      author: this.user(author),
      created: Render.time(created),
      size: content.length,
      mimeType,
      content: this.self(`attachment/content/${id}`),
    };
  }

  /** Returns the issue with the requested fields; `id` only, the default of the search, leaves none. */
  issue(issue: Issue, wanted: string[]): Json {
    const all = this.fields(issue);
    const excluded = wanted.filter((name) => name.startsWith('-')).map((name) => name.slice(1));
    const everything = wanted.includes('*all') || wanted.every((name) => name.startsWith('-'));
    const navigable = wanted.includes('*navigable');
    const names = Object.keys(all).filter(
      (name) =>
        !excluded.includes(name) &&
        (everything ||
          wanted.includes(name) ||
          (navigable && name !== 'comment' && name !== 'attachment')),
    );
    const fields = Object.fromEntries(names.map((name) => [name, all[name]]));
    const { id, key } = issue;
    const bare = !everything && !navigable && wanted.every((name) => name === 'id');
    if (bare) return { id };
    return { expand: 'names,schema,transitions', id, self: this.self(`issue/${id}`), key, fields };
  }

  transitions(issue: Issue): Json[] {
    return this.site.transitionsOf(issue).map(({ id, name, to }) => ({
      id,
      name,
      to: this.status(this.site.status(to)),
      hasScreen: false,
      isGlobal: false,
      isInitial: false,
      isAvailable: true,
      isConditional: false,
      looped: false,
    }));
  }

  private fields(issue: Issue): Json {
    const { assignee, parent, resolutiondate, comments, attachments } = issue;
    return {
      summary: issue.summary,
      description: issue.description,
      issuetype: this.issueType(issue.issuetype),
      project: this.project(issue.project),
      status: this.status(issue.status),
      statuscategorychangedate: Render.time(issue.updated),
      priority: this.priority(issue.priority),
      labels: issue.labels,
      duedate: issue.duedate,
      assignee: assignee && this.user(assignee),
      reporter: this.user(issue.reporter),
      creator: this.user(issue.creator),
      created: Render.time(issue.created),
      updated: Render.time(issue.updated),
      resolution: resolutiondate && {
        self: this.self('resolution/10000'),
        id: '10000',
        name: 'Done',
      },
      resolutiondate: resolutiondate && Render.time(resolutiondate),
      ...(parent && { parent: this.reference(parent) }),
      subtasks: this.site.issues
        .filter((each) => each.parent === issue && each.issuetype.subtask)
        .map((each) => this.reference(each)),
      ...Object.fromEntries(
        this.site.customFields.map((field) => [field.id, this.customValue(field, issue)]),
      ),
      attachment: attachments.map((each) => this.attachment(each)),
      comment: {
        ...this.comments(issue, comments, 0, comments.length),
        self: this.self(`issue/${issue.id}/comment`),
      },
    };
  }

  private customValue({ id, type }: CustomField, { custom }: Issue): unknown {
    const value = custom[id] ?? null;
    if (value === null || type === 'string' || type === 'number') return value;
    type Option = CustomField['options'][number];
    return type === 'option'
      ? this.option(value as Option)
      : (value as Option[]).map((option) => this.option(option));
  }

  private reference({ id, key, summary, status, issuetype }: Issue): Json {
    return {
      id,
      key,
      self: this.self(`issue/${id}`),
      fields: { summary, status: this.status(status), issuetype: this.issueType(issuetype) },
    };
  }
}
