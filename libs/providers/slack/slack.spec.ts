import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import { type Json, OverFake } from '#test/harness';
import * as functions from './client.js';

const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });
const user = 'v1_3_0.entitymanagement.EntityManagement';
const conversation = 'v1_8_0.conversationactivity.ConversationActivity';
const message = 'v1_8_0.chatmessageactivity.ChatMessageActivity';
const classes = {
  chat_query_users: user,
  chat_query_conversations: conversation,
  chat_query_user_conversations: conversation,
  chat_query_conversation_members: user,
  chat_query_user_conversation_members: user,
  chat_query_conversation_messages: message,
  chat_query_user_conversation_messages: message,
};

let slack: OverFake;
const connect = (config = {}, principal = 'bot', type = 'chat_slack') =>
  new OverFake(new URL('./', import.meta.url), type, { config, principal, classes, functions });
beforeEach(() => {
  slack = connect();
});

const idOf = ({ conversation }: Json) => conversation.uid as string;
const channel = async (name: string) => {
  const all = await slack.all('chat_query_conversations');
  return idOf(all.find((one) => one['conversation'].name === name) ?? {});
};
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
    expect(all.map(({ conversation: one }): unknown[] => [one.type, one.member_count])).toEqual(
      world.conversations.map(({ kind, members }) => [
        { direct: 'Direct Message', group: 'Group Chat' }[kind as string] ?? 'Channel',
        kind === 'direct' ? undefined : members.length,
      ]),
    );
    expect(all.at(-1)).toMatchObject({
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
    expect(slack.requests().at(-1)?.query['types']).toBe(types);
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

describe('notifications', () => {
  const create = 'notifications_create_message';
  const read = 'notifications_get_message';
  const clear = 'notifications_clear_message';
  const body = {
    summary: 'Disk <sda> is full & slow',
    description: 'On AP-UTR-S0002.',
    priority: 'HIGH',
    tags: ['disk', 'storage'],
    project: 'ITS',
  };
  let bot: OverFake;
  const notifying = (channel: string, principal = 'bot') =>
    connect({ channel }, principal, 'notifications_slack');
  beforeEach(async () => {
    bot = notifying(await channel('security'));
  });

  const at = (notificationId: string) => ({ path: { notificationId } });
  const make = async () => (await bot.succeed(create, { body }))['result'] as Json;

  it('are posted as a text for people, with metadata that keeps the fields', async () => {
    const made = await make();
    const conversationId = await channel('security');
    expect(made).toMatchObject({
      ...body,
      id: expect.stringMatching(new RegExp(`^${conversationId}:\\d+\\.\\d{6}$`)) as unknown,
      name: body.summary,
      notification_status: 'OPEN',
      created_at: '2026-11-22T00:00:00Z',
    });
    const [posted] = bot.requests();
    expect(posted).toMatchObject({ method: 'POST', path: '/api/chat.postMessage' });
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      channel: conversationId,
      text: '*Disk &lt;sda&gt; is full &amp; slow*\nOn AP-UTR-S0002.\nPriority: HIGH · Tags: disk, storage',
      metadata: {
        event_type: 'onefold_notification',
        event_payload: { state: 'open', tags: [{ name: 'disk' }, { name: 'storage' }] },
      },
    });
    expect((await bot.succeed(read, at(made['id'] as string)))['result']).toEqual(made);
  });

  it('show a description in Markdown as Slack shows it, and keep it as it was written', async () => {
    const description =
      'On **AP-UTR-S0002**, see [runbook](https://wiki.example/42)\n\n- <!here> first';
    const { result } = await bot.succeed(create, { body: { ...body, description } });
    expect(result).toMatchObject({ description });
    const [posted] = bot.requests();
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      text: expect.stringContaining(
        'On *AP-UTR-S0002*, see <https://wiki.example/42|runbook>\n\n• &lt;!here&gt; first\n',
      ) as unknown,
    });
  });

  it('are closed once, however often they are cleared', async () => {
    const { id } = await make();
    await bot.succeed(clear, at(id as string));
    bot.requests();
    await bot.succeed(clear, at(id as string));
    expect(bot.requests().map(({ path }) => path)).toEqual(['/api/conversations.history']);
    const { result } = await bot.succeed(read, at(id as string));
    expect(result).toMatchObject({ ...body, id, notification_status: 'CLOSED' });
    const text = await bot.all(
      'chat_query_conversation_messages',
      { filter: ['chat_message.message[like]Resolved'] },
      { conversationId: (id as string).split(':')[0] ?? '' },
    );
    expect(text).toHaveLength(1);
  });

  it('of people can be read, and not cleared', async () => {
    const path = { conversationId: await channel('security') };
    const [message] = await slack.all('chat_query_conversation_messages', {}, path);
    const notificationId = message?.['metadata'].uid as string;
    const { result } = await bot.succeed(read, at(notificationId));
    expect(result).toMatchObject({
      id: notificationId,
      summary: message?.['chat_message'].message,
      creator: message?.['actor'].user.uid,
      notification_status: 'OPEN',
    });
    const problem = await bot.refuse(clear, 409, at(notificationId));
    expect(problem['message']).toContain('not one of this bot');
  });

  it('that do not exist are a 404, and a channel that does not exist is a 400', async () => {
    await bot.refuse(read, 404, at('nobody'));
    await bot.refuse(read, 404, at(`${await channel('security')}:1700000000.000001`));
    await bot.refuse(clear, 404, at('CNOBODY001:1700000000.000001'));
    const lost = notifying('CNOBODY001');
    expect((await lost.refuse(create, 400, { body }))['message']).toContain('channel_not_found');
    expect((await lost.verify()).status).toBe(400);
  });

  it('need permissions that errors and verification name', async () => {
    const visitor = notifying(await channel('security'), 'visitor');
    expect((await visitor.refuse(create, 502, { body }))['remediation']).toContain('chat:write');
    expect(JSON.stringify((await visitor.verify()).body)).toContain('groups:history');
    expect((await bot.verify()).status).toBe(200);
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
    const problem = await visitor.refuse('chat_query_conversations', 502);
    expect(problem['message']).toContain('groups:read,mpim:read,im:read');
    expect(problem['remediation']).toContain('groups:read');
    expect(JSON.stringify((await visitor.verify()).body)).toContain('groups:read');
    expect((await slack.verify()).status).toBe(200);
  });

  it('all messages at once are not implemented', async () => {
    await slack.refuse('chat_query_messages', 501);
  });
});
