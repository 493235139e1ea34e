import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Json, OverFake } from '#test/harness';
import { channelOf, connect } from './slack.fixture.js';

let slack: OverFake;
beforeEach(() => {
  slack = connect();
});

const channel = (name: string) => channelOf(slack, name);

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
