import { describe, expect, it } from '@jest/globals';
import { runMapping } from '#test/harness';

const folder = new URL('.', import.meta.url);

describe('an issue', () => {
  // In the shape of https://docs.github.com/en/rest/issues/issues, with values of our own.
  const issue = {
    number: 7,
    title: 'Disk full',
    body: null,
    state: 'closed',
    state_reason: 'completed',
    user: { login: 'ada', id: 1, type: 'User' },
    labels: [{ id: 5, name: 'bug', color: 'd73a4a' }, 'plain'],
    type: { id: 3, name: 'Bug', color: 'red' },
    parent_issue_url: 'https://api.github.com/repos/o/a/issues/1',
    created_at: '2026-11-20T08:00:00Z',
    updated_at: '2026-11-21T08:00:00Z',
    assignees: [],
  };

  it('keeps what is known of its people, labels and kind', () => {
    const made = runMapping(folder, 'ticket', issue, { config: { repository: 'o/a' } });
    expect(made).toMatchObject({ creator: 'ada', issue_type: 'Bug', tags: ['bug', 'plain'] });
    expect(made['unmapped']).toEqual({
      user: { id: 1, type: 'User' },
      type: { id: 3, color: 'red' },
      labels: issue.labels,
      state_reason: 'completed',
      parent_issue_url: 'https://api.github.com/repos/o/a/issues/1',
    });
  });

  it('is written with its kind', () => {
    const ticket = { name: 'Disk full', summary: 'Disk full', issue_type: 'Bug' };
    expect(runMapping(folder, 'ticket-request', ticket, { before: null })).toEqual({
      title: 'Disk full',
      type: 'Bug',
    });
  });

  it.each([
    ['https://api.github.com/repos/O/a/issues/1', '1'],
    ['https://api.github.com/repos/o/other/issues/1', undefined],
    [null, undefined],
  ])('has its parent where that is a ticket of this repository: %s', (url, parent) => {
    const sub = { ...issue, parent_issue_url: url };
    const made = runMapping(folder, 'ticket', sub, { config: { repository: 'o/a' } });
    expect(made['parent']).toBe(parent);
  });

  it('has comments that keep who wrote them, and whether as a member', () => {
    const comment = {
      id: 9,
      body: 'Done',
      issue_url: 'https://api.github.com/repos/o/a/issues/7',
      created_at: '2026-11-20T08:00:00Z',
      updated_at: '2026-11-20T08:00:00Z',
      user: { login: 'ada', id: 1 },
      author_association: 'MEMBER',
    };
    expect(runMapping(folder, 'comment', comment)).toMatchObject({
      ticket_id: '7',
      creator: 'ada',
      unmapped: { user: { id: 1 }, author_association: 'MEMBER' },
    });
  });
});
