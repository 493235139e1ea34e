import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Json, OverFake } from '#test/harness';
import { channelOf, connect, world } from './slack.fixture.js';

let slack: OverFake;
beforeEach(() => {
  slack = connect();
});

const channel = (name: string) => channelOf(slack, name);
const person = async (login: string) => {
  const filter = [`entity.user.name[eq]${login}`];
  const [found] = await slack.all('chat_query_users', { filter });
  return found?.['entity'].uid as string;
};

describe('users', () => {
  it('are the people of the company, each once over pages', async () => {
    const pages = await slack.pages('chat_query_users', { limit: 15 });
    expect(pages.map((page) => page.length)).toEqual([15, 15, 10]);
    expect(pages.flat().map(({ entity }) => entity.user.email_addr as string)).toEqual(
      world.people.map(({ mail }) => mail),
    );
    const priya = pages.flat().find(({ entity }) => entity.name === 'priya.raman');
    expect(priya).toMatchObject({
      message: 'User priya.raman',
      entity: {
        user: {
          full_name: 'Priya Raman',
          user_status: 'Active',
          has_mfa: true,
          ldap_person: { job_title: 'Incident Responder' },
        },
      },
      unmapped: { tz: 'America/Toronto', profile: { phone: expect.any(String) as unknown } },
    });
    expect(slack.requests()[1]).toMatchObject({
      method: 'GET',
      path: '/api/users.list',
      query: { limit: '15', cursor: expect.any(String) as unknown },
      headers: { authorization: expect.stringMatching(/^Bearer xoxb-/) as unknown },
    });
  });
});

describe('conversations', () => {
  it('are those of the company, of each kind', async () => {
    const all = await slack.all('chat_query_conversations');
    const sorted = (rows: unknown[][]) => rows.map((row) => row.join()).sort();
    expect(
      sorted(all.map(({ conversation: one }): unknown[] => [one.type, one.member_count])),
    ).toEqual(
      sorted(
        world.conversations.map(({ kind, members }) => [
          { direct: 'Direct Message', group: 'Group Chat' }[kind as string] ?? 'Channel',
          kind === 'direct' ? undefined : members.length,
        ]),
      ),
    );
    expect(all.find(({ conversation }) => conversation.name === 'incident-1208')).toMatchObject({
      conversation: { name: 'incident-1208', platform: 'Slack' },
      unmapped: { is_private: true, topic: { value: 'Compromised build engineer' } },
    });
  });

  it.each([
    ['conversation.type_id[eq]2', 'im', 1],
    ['conversation.type_id[eq]1', 'public_channel,private_channel', 7],
    ['conversation.name[like]incident', 'public_channel,private_channel,mpim,im', 1],
    ['conversation.member_count[gt]30', 'public_channel,private_channel,mpim,im', 2],
  ])('are filtered by %s, as here', async (filter, types, count) => {
    const found = await slack.all('chat_query_conversations', { filter: [filter] });
    expect(found).toHaveLength(count);
    const asked = slack.requests().map(({ query }) => query['types']);
    expect([...new Set(asked)].join()).toBe(types);
  });

  it('of a user are those that the user is a member of', async () => {
    const userId = await person('priya.raman');
    const found = await slack.all('chat_query_user_conversations', {}, { userId });
    expect(found).toHaveLength(
      world.conversations.filter(({ members }) => members.includes('emp-0012')).length,
    );
    expect(found.map(({ conversation }) => conversation.name as string)).toContain('incident-1208');
    const query = { filter: ['conversation.type_id[eq]3'] };
    expect(await slack.all('chat_query_user_conversations', query, { userId })).toEqual([]);
    await slack.refuse('chat_query_user_conversations', 404, { path: { userId: 'UNOBODY000' } });
  });
});

describe('members', () => {
  const members = (name: string) =>
    world.conversations
      .find((one) => one.name === name)
      ?.members.map((key) => world.people.find((one) => one.key === key)?.mail)
      .sort();
  const mails = (records: Json[]): string[] =>
    records.map(({ entity }) => entity.user.email_addr as string).sort();

  it('of a few are looked up one by one, of many in one list', async () => {
    const few = await channel('incident-1208');
    const path = (conversationId: string) => ({ conversationId });
    slack.requests();
    expect(mails(await slack.all('chat_query_conversation_members', {}, path(few)))).toEqual(
      members('incident-1208'),
    );
    const asked = () => [...new Set(slack.requests().map((request) => request.path))];
    expect(asked()).toEqual(['/api/conversations.members', '/api/users.info']);
    const many = await channel('general');
    slack.requests();
    expect(mails(await slack.all('chat_query_conversation_members', {}, path(many)))).toEqual(
      members('general'),
    );
    expect(asked()).toEqual(['/api/conversations.members', '/api/users.list']);
    const pages = await slack.pages('chat_query_conversation_members', { limit: 3 }, path(few));
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(mails(pages.flat())).toEqual(members('incident-1208'));
  });

  it('are shown only to a user who is one of them', async () => {
    const conversationId = await channel('security');
    const list = 'chat_query_user_conversation_members';
    const found = await slack.all(
      list,
      {},
      { conversationId, userId: await person('priya.raman') },
    );
    expect(mails(found)).toEqual(members('security'));
    const userId = await person('marta.silva');
    const { message } = await slack.refuse(list, 404, { path: { conversationId, userId } });
    expect(message).toContain('is not a member');
  });
});

describe('messages', () => {
  const list = 'chat_query_conversation_messages';
  const texts = (records: Json[]): string[] =>
    records.map(({ chat_message: sent }) => sent.message as string).sort();
  const sent = (name: string) => {
    const key = world.conversations.find((one) => one.name === name)?.key;
    return world.messages.filter((one) => one.conversation === key);
  };

  it('of the incident are those of the story, newest first', async () => {
    const conversationId = await channel('incident-1208');
    const pages = await slack.pages(list, { limit: 3 }, { conversationId });
    expect(pages.map((page) => page.length)).toEqual([3, 3, 2]);
    expect(pages.flat().map(({ chat_message: one }) => one.message as string)).toEqual(
      sent('incident-1208')
        .map(({ text }) => text)
        .reverse(),
    );
    const [approved] = pages.flat();
    expect(approved).toMatchObject({
      time: Date.parse('2026-11-21T10:56:20Z'),
      chat_message: { conversation_uid: conversationId },
      actor: { user: { uid: await person('noor.elamrani') } },
    });
    expect(new Set(pages.flat().map(({ metadata }) => metadata.uid as string)).size).toBe(8);
  });

  it('have the replies of threads among them', async () => {
    const conversationId = await channel('it-help');
    const all = await slack.all(list, {}, { conversationId });
    expect(texts(all)).toEqual(
      sent('it-help')
        .map(({ text }) => text)
        .sort(),
    );
    const replies = all.filter(
      ({ metadata }) => (metadata.correlation_uid ?? metadata.uid) !== metadata.uid,
    );
    expect(replies).toHaveLength(sent('it-help').filter((one) => one.reply_to !== null).length);
    expect(slack.requests().at(-1)).toMatchObject({
      path: '/api/conversations.replies',
      query: { channel: conversationId, ts: expect.any(String) as unknown },
    });
  });

  it('are filtered by time, both ways, as here', async () => {
    const conversationId = await channel('it-help');
    const all = await slack.all(list, {}, { conversationId });
    const middle = [...all].sort((one, other) => one['time'] - other['time'])[5]?.[
      'time'
    ] as number;
    const text = new Date(middle).toISOString();
    for (const [operator, passes] of [
      ['lte', (time: number) => time <= middle],
      ['lt', (time: number) => time < middle],
      ['gt', (time: number) => time > middle],
      ['gte', (time: number) => time >= middle],
    ] as const) {
      const query = { filter: [`time[${operator}]${text}`] };
      const found = await slack.all(list, query, { conversationId });
      expect(texts(found)).toEqual(texts(all.filter(({ time }) => passes(time as number))));
    }
    const [history] = slack.requests().filter(({ query }) => query['latest'] !== undefined);
    expect(history?.query['latest']).toBe(`${Math.floor(middle / 1_000) + 1}.000000`);
  });

  it('from a time on have replies to threads of any age, or of so many days', async () => {
    const conversationId = await channel('it-help');
    const all = await slack.all(list, {}, { conversationId });
    // A reply that is eight days younger than its thread.
    const from = 1_794_934_427_000;
    expect(all.map(({ time }) => time as number)).toContain(from);
    const poll = async (config: Json) => {
      const bot = connect(config);
      const filter = [`time[gte]${new Date(from).toISOString()}`];
      const rows = await bot.all(list, { filter }, { conversationId });
      const [history] = bot.requests().filter((one) => one.path.endsWith('conversations.history'));
      return { isFound: rows.some(({ time }) => time === from), oldest: history?.query['oldest'] };
    };
    const oldest = (days: number) => `${from / 1000 - days * 86_400 - 1}.000000`;
    expect(await poll({})).toEqual({ isFound: true, oldest: undefined });
    expect(await poll({ thread_days: 9 })).toEqual({ isFound: true, oldest: oldest(9) });
    expect(await poll({ thread_days: 7 })).toEqual({ isFound: false, oldest: oldest(7) });
  });

  it('of a channel that the bot is not in are refused, unless it joins', async () => {
    const conversationId = await channel('research');
    const problem = await slack.refuse(list, 502, { path: { conversationId } });
    expect(problem['message']).toContain('not_in_channel');
    const joining = connect({ channels: 'auto' });
    expect(texts(await joining.all(list, {}, { conversationId }))).toEqual(
      sent('research')
        .map(({ text }) => text)
        .sort(),
    );
    expect(joining.requests().map((request) => request.path)).toContain('/api/conversations.join');
  });

  it('are shown only to a member of the conversation', async () => {
    const own = 'chat_query_user_conversation_messages';
    const conversationId = await channel('security');
    const found = await slack.all(
      own,
      {},
      { conversationId, userId: await person('lars.hendriks') },
    );
    expect(texts(found)).toHaveLength(12);
    await slack.refuse(own, 404, {
      path: { conversationId, userId: await person('marta.silva') },
    });
  });
});

describe('failures', () => {
  it.each([
    [{ kind: 'status', status: 500 }, 502, 'fatal_error'],
    [{ kind: 'garbage' }, 502, 'JSON'],
    [{ kind: 'limited', seconds: 900 }, 429, 'Slack'],
    [{ kind: 'expired' }, 502, 'token_expired'],
    [{ kind: 'drift', alter: 'root = {"ok": true}' }, 502, 'rows'],
    [
      { kind: 'drift', alter: 'root = {"ok": false, "error": "invalid_arg_name"}' },
      502,
      'invalid_arg_name',
    ],
  ])('%j is reported', async (rule, status, text) => {
    const problem = await slack.failing('chat_query_users', rule);
    expect(problem).toMatchObject({ status, message: expect.stringContaining(text) as unknown });
  });

  it('of permission name the scope, and so does the verification', async () => {
    const visitor = connect({}, 'visitor');
    const { result, messages } = await visitor.succeed('chat_query_conversations');
    const { problems } = messages as { problems: { message: string; remediation: string }[] };
    expect(problems.map(({ message }) => / (\w+:read)/.exec(message)?.[1])).toEqual([
      'groups:read',
      'groups:read',
      'mpim:read',
      'im:read',
    ]);
    expect(problems[0]?.remediation).toContain('groups:read');
    expect((result as Json[]).map(({ unmapped }): unknown => unmapped.is_private)).toEqual(
      (result as Json[]).map(() => false),
    );
    expect(result).toHaveLength(5);
    expect(JSON.stringify((await visitor.verify()).body)).toContain('groups:read');
    expect((await slack.verify()).status).toBe(200);
  });

  it('all messages at once are not implemented', async () => {
    await slack.refuse('chat_query_messages', 501);
  });
});
