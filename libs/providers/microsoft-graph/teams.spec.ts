import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { FakeDispatcher, type FakeEngine, makeWorld } from '#fakes';
import { listFaults, OverFake } from '#test/harness';
import { overFake } from './over-fake.fixture.js';

const team = '5b0d7c1e-2f6a-4d38-9c74-81e5a0f3d962';
const config = { team_id: team };
const teams = overFake('chat_microsoft_teams', { config });
const world = makeWorld({ start: teams.start, dataset: 'BASIC' });
const idOf = (login: string) => world.people.find((one) => one.login === login)?.directory_id ?? '';
const priya = idOf('priya.raman');
const sent = (name: string) => {
  const key = world.conversations.find((one) => one.name === name)?.key;
  return world.messages.filter((one) => one.conversation === key);
};
type Rows = Record<string, any>[]; // eslint-disable-line @typescript-eslint/no-explicit-any
const rows = async (id: OperationId, request: object = {}): Promise<Rows> =>
  (await teams.call(id, { query: { limit: 500 }, ...request })).body['result'] as Rows;
const channel = async (name: string) =>
  (await rows('chat_query_conversations')).find((one) => one['conversation'].name === name)?.[
    'conversation'
  ].uid as string;
const texts = (found: Rows): string[] =>
  found.map((one) => one['chat_message'].message as string).sort();

beforeAll(() => loadValidators());
beforeEach(() => {
  teams.reset();
  teams.fake.limits.override = { requests: 1e6, seconds: 60 };
});

describe.each<[OperationId, number]>([
  ['chat_query_users', world.people.length],
  ['chat_query_conversations', 7],
])('%s', (id, count) => {
  it('has the records of the company, filters and orders as declared', async () => {
    expect(await rows(id)).toHaveLength(count);
    expect(await listFaults(teams, id)).toEqual([]);
  });
});

describe('conversations', () => {
  it('are the channels of the team', async () => {
    const found = await rows('chat_query_conversations');
    expect(found.map((one) => one['conversation'].name as string)).toEqual(
      world.conversations
        .filter(({ kind }) => !['direct', 'group'].includes(kind))
        .map(({ name }) => name),
    );
    expect(found.at(-1)).toMatchObject({
      conversation: {
        uid: expect.stringMatching(`^${team}:19:.*@thread.tacv2$`) as unknown,
        type: 'Channel',
      },
    });
  });

  it('"can only list conversations per user: NotImplemented error; use the user-scoped variant": without a team', async () => {
    const alone = overFake('chat_microsoft_teams');
    const { status, body } = await alone.call('chat_query_conversations', {});
    expect([status, JSON.stringify(body)]).toEqual([
      501,
      expect.stringContaining('chat_query_user_conversations') as unknown,
    ]);
  });

  it('of a user are chats and the channels of the teams, each once over pages', async () => {
    const path = { userId: idOf('pieter.jansen') };
    const found = await teams.all('chat_query_user_conversations', { limit: 1 }, path);
    const mine = world.conversations.filter(
      ({ kind, members }) => ['direct', 'group'].includes(kind) && members.includes('emp-0019'),
    );
    expect(found).toHaveLength(mine.length + 7);
    expect(new Set(found.map((one) => one['conversation'].uid as string)).size).toBe(found.length);
  });
});

describe('members', () => {
  it('of a channel are those of the company', async () => {
    const path = { conversationId: await channel('incident-1208') };
    const found = await rows('chat_query_conversation_members', { path });
    const members = world.conversations.find(({ name }) => name === 'incident-1208')?.members;
    expect(found.map((one) => one['entity'].uid as string)).toEqual(
      members?.map((key) => world.people.find((one) => one.key === key)?.directory_id),
    );
    const own = { path: { ...path, userId: priya } };
    expect(await rows('chat_query_user_conversation_members', own)).toHaveLength(7);
    const stranger = { path: { ...path, userId: idOf('marta.silva') } };
    const { status } = await teams.call('chat_query_user_conversation_members', stranger);
    expect(status).toBe(404);
  });
});

describe('messages', () => {
  const list = 'chat_query_conversation_messages';

  it('of a channel are those of the story, with their replies', async () => {
    for (const name of ['incident-1208', 'it-help']) {
      const path = { conversationId: await channel(name) };
      const found = await rows(list, { path });
      expect(texts(found)).toEqual(
        sent(name)
          .map(({ text }) => text)
          .sort(),
      );
      const replies = found.filter((one) => one['metadata'].correlation_uid !== undefined);
      expect(replies).toHaveLength(sent(name).filter((one) => one.reply_to !== null).length);
      const paged = await teams.all(list, { limit: 3 }, path);
      expect(texts(paged)).toEqual(texts(found));
    }
    expect(teams.fake.log.requests.at(-1)?.query).toMatchObject({ $expand: ['replies'] });
  });

  it('of a chat are filtered by time, as here', async () => {
    const key = world.conversations.find(({ kind }) => kind === 'direct')?.members[0];
    const userId = world.people.find((one) => one.key === key)?.directory_id ?? '';
    const chats = await rows('chat_query_user_conversations', { path: { userId } });
    const conversationId = chats.find((one) => one['conversation'].type_id === 2)?.['conversation']
      .uid as string;
    const path = { conversationId };
    const all = await rows(list, { path });
    const times = all.map((one) => one['time'] as number).sort((one, other) => one - other);
    const middle = times[Math.floor(times.length / 2)] ?? 0;
    for (const [operator, passes] of [
      ['gt', (time: number) => time > middle],
      ['gte', (time: number) => time >= middle],
      ['lt', (time: number) => time < middle],
    ] as const) {
      const filter = [`time[${operator}]${new Date(middle).toISOString()}`];
      const found = await rows(list, { path, query: { filter, limit: 500 } });
      expect(found.map((one) => one['time'] as number).sort()).toEqual(
        times.filter((time) => passes(time)).sort(),
      );
    }
    const asked = teams.fake.log.requests.map(({ query }) =>
      JSON.stringify(query['$filter'] ?? ''),
    );
    expect(asked.filter((one) => one.includes('lastModifiedDateTime gt'))).not.toEqual([]);
  });

  it('are told to a member of the conversation, alone', async () => {
    const own = 'chat_query_user_conversation_messages';
    const conversationId = await channel('security');
    const path = { conversationId, userId: idOf('lars.hendriks') };
    expect(await rows(own, { path })).toHaveLength(sent('security').length);
    const stranger = { path: { conversationId, userId: idOf('marta.silva') } };
    expect((await teams.call(own, stranger)).status).toBe(404);
  });

  it('are told to a member whom another page of the members has', async () => {
    const next = 'https://graph.microsoft.com/v1.0/chats/19:a@thread.v2/members?$skiptoken=2';
    const pages = [
      { value: [{ id: 'm1', userId: 'u1' }], '@odata.nextLink': next },
      { value: [{ id: 'm2', userId: 'u2' }] },
    ];
    const handle: FakeEngine['handle'] = ({ url }) => {
      const body = url.includes('/messages')
        ? { value: [] }
        : pages[url.includes('skiptoken') ? 1 : 0];
      const headers = { 'content-type': 'application/json' };
      return Promise.resolve({ status: 200, headers, body: Buffer.from(JSON.stringify(body)) });
    };
    const paged = new OverFake(new URL('./', import.meta.url), 'chat_microsoft_teams', {
      config,
      credential: () => ({ type: 'token', secret: 'x' }),
      dispatcher: new FakeDispatcher({ handle }),
    });
    const statusOf = async (userId: string) => {
      const path = { conversationId: '19:a@thread.v2', userId };
      return (await paged.call('chat_query_user_conversation_messages', { path })).status;
    };
    expect([await statusOf('u1'), await statusOf('u2'), await statusOf('u3')]).toEqual([
      200, 200, 404,
    ]);
  });

  it('of a conversation that does not exist are a 404', async () => {
    for (const conversationId of ['nobody', '19:nobody@thread.v2', `${team}:19:x@thread.tacv2`])
      expect((await teams.call(list, { path: { conversationId } })).status).toBe(404);
  });
});

it('names the permission that is missing', async () => {
  const chatter = overFake('chat_microsoft_teams', { principal: 'chatter', config });
  const path = { conversationId: `${team}:19:x@thread.tacv2` };
  const { status, body } = await chatter.call('chat_query_conversation_messages', { path });
  expect([status, JSON.stringify(body)]).toEqual([
    502,
    expect.stringContaining('ChannelMessage.Read.All') as unknown,
  ]);
});
