import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverSystem, Receiver } from '#test/harness';
import * as functions from './client.js';

describe('what Slack returns and its fake does not', () => {
  let receiver: Receiver;
  let slack: OverSystem;
  let answers: Record<string, Json>;
  let asked: URL[];

  beforeAll(async () => {
    await loadValidators();
    receiver = await Receiver.start();
    slack = new OverSystem(
      new URL('./', import.meta.url),
      'chat_slack',
      {
        url: receiver.url.replace(/\/$/, ''),
        credential: { type: 'token', secret: 'xoxb-1' },
      },
      { functions },
    );
  });
  beforeEach(() => {
    answers = {};
    asked = [];
    receiver.answer = ({ path }, response) => {
      const url = new URL(path, 'http://slack.example');
      asked.push(url);
      const ts = url.searchParams.get('ts') ?? url.searchParams.get('cursor') ?? '';
      const body = answers[`${url.pathname} ${ts}`] ?? answers[url.pathname];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { ok: false, error: 'thread_not_found' }));
    };
  });
  afterAll(async () => {
    await slack.close();
    await receiver.stop();
  });

  const read = async (messages: Json[], filter: string[] = []) => {
    answers['/conversations.history'] = { ok: true, messages };
    const path = { conversationId: 'C01' };
    return await slack.all('chat_query_conversation_messages', { filter }, path);
  };
  const message = (ts: string, more: Json = {}) => ({
    type: 'message',
    user: 'U01',
    text: `at ${ts}`,
    ts,
    ...more,
  });
  const thread = (ts: string, latest: string) =>
    message(ts, { thread_ts: ts, reply_count: 1, latest_reply: latest });

  it('knows Slackbot, which was never updated', async () => {
    answers['/users.list'] = {
      ok: true,
      members: [
        { id: 'USLACKBOT', name: 'slackbot', is_bot: false, updated: 0, profile: { fields: null } },
        { id: 'U01', name: 'ana', updated: 1772031589, profile: {} },
      ],
    };
    const [bot, ana] = await slack.all('chat_query_users');
    expect(bot?.['entity'].user).toMatchObject({ type: 'System', user_status: 'Active' });
    expect(bot?.['time']).toBeGreaterThan(Date.parse('2026-01-01'));
    expect(ana).toMatchObject({ time: 1772031589000, entity: { user: { type: 'User' } } });
  });

  it('looks for a conversation among all that somebody is in, and no further', async () => {
    const page = (ids: string[], next: string) => ({
      ok: true,
      channels: ids.map((id) => ({ id })),
      response_metadata: { next_cursor: next },
    });
    answers['/users.conversations'] = page(['C02'], 'second');
    answers['/users.conversations second'] = page(['C01'], 'third');
    answers['/conversations.history'] = { ok: true, messages: [message('1767225600.000100')] };
    const path = { conversationId: 'C01', userId: 'U01' };
    const list = 'chat_query_user_conversation_messages';
    expect(await slack.all(list, {}, path)).toHaveLength(1);
    answers['/users.conversations second'] = page(['C03'], '');
    await slack.refuse(list, 404, { path });
    const cursors = asked.map(({ searchParams }) => searchParams.get('cursor'));
    expect(cursors).toEqual([null, 'second', null, null, 'second']);
  });

  it('reads a reply that was shown in the channel too once', async () => {
    const parent = thread('1770091500.000100', '1770091600.000100');
    const reply = message('1770091600.000100', {
      thread_ts: parent.ts,
      subtype: 'thread_broadcast',
    });
    answers['/conversations.replies'] = { ok: true, messages: [parent, reply] };
    const found = await read([{ ...reply, root: parent }, parent]);
    expect(found.map(({ metadata }) => metadata.uid as string)).toEqual([
      'C01:1770091500.000100',
      'C01:1770091600.000100',
    ]);
  });

  it('asks for the replies that may be as young as what is asked for, and for no others', async () => {
    const old = thread('1770000000.000100', '1770000100.000100');
    const live = thread('1760000000.000200', '1770091600.000200');
    const reply = message('1770091600.000200', { thread_ts: live.ts });
    answers[`/conversations.replies ${live.ts}`] = { ok: true, messages: [live, reply] };
    const found = await read([old, live], ['time[gte]2026-02-03T00:00:00Z']);
    expect(found.map(({ metadata }) => metadata.uid as string)).toEqual(['C01:1770091600.000200']);
    expect(asked.map(({ pathname }) => pathname)).toEqual([
      '/conversations.history',
      '/conversations.replies',
    ]);
    expect(asked[0]?.searchParams.get('limit')).toBe('200');
    expect(asked[1]?.searchParams.get('oldest')).toBe('1770076799.000000');
  });

  it.each([
    ['channel_join', 'System Event'],
    ['channel_posting_permissions', 'System Event'],
    ['group_unarchive', 'System Event'],
    ['bot_add', 'System Event'],
    ['bot_message', 'Send'],
    ['me_message', 'Send'],
    ['file_share', 'Send'],
  ])('takes a message of the kind %s for a %s', async (subtype, activity_name) => {
    expect(await read([message('1770091500.000100', { subtype })])).toMatchObject([
      { activity_name },
    ]);
  });

  it('keeps the address of a file', async () => {
    const files = [
      {
        id: 'F01',
        name: 'df.txt',
        size: 3,
        mimetype: 'text/plain',
        permalink: 'https://x.example/f',
      },
    ];
    const [found] = await read([message('1770091500.000100', { files })]);
    expect(found).toMatchObject({
      chat_message: { files: [{ name: 'df.txt', uid: 'F01' }] },
      unmapped: { files: [{ id: 'F01', permalink: 'https://x.example/f' }] },
    });
  });
});
