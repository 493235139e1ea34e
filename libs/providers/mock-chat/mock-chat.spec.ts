import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import { OverFake } from '#test/harness';

const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });
const list = 'chat_query_messages';

let chat: OverFake;
beforeEach(() => {
  chat = new OverFake(new URL('./', import.meta.url), 'chat_mock_chat', {
    classes: { [list]: 'v1_8_0.chatmessageactivity.ChatMessageActivity' },
  });
});

describe('all messages', () => {
  it('are those of every conversation, each once over pages', async () => {
    const pages = await chat.pages(list, { limit: 40 });
    expect(pages.map((page) => page.length)).toEqual([40, 40, 24]);
    expect(pages.flat().map(({ metadata }) => metadata.uid as string)).toEqual(
      world.messages.map(({ key }) => key),
    );
    expect(pages.flat().at(-1)).toMatchObject({
      time: Date.parse('2026-11-21T10:56:20Z'),
      actor: { user: { name: 'noor.elamrani', full_name: 'Noor El Amrani' } },
      chat_message: { message: 'Approved. Please tell Sofia before the build stops.' },
      unmapped: { conversation_name: 'incident-1208' },
    });
  });

  const at = '2026-11-21T10:50:12Z';
  const moment = Date.parse(at);
  type Message = (typeof world.messages)[number];

  it.each([
    [[`time[gte]${at}`], { since: at }, (one: Message) => one.sent_ms >= moment],
    [[`time[gt]${at}`], { since: at }, (one: Message) => one.sent_ms > moment],
    [
      [`time[lte]${at}`, 'time[gt]2026-11-20T00:00:00Z'],
      { since: '2026-11-20T00:00:00Z', until: at },
      (one: Message) => one.sent_ms <= moment && one.sent_ms > Date.parse('2026-11-20T00:00:00Z'),
    ],
    [
      ['actor.user.uid[eq]emp-0012', 'chat_message.conversation_uid[eq]con-0009'],
      { author: 'emp-0012', conversation: 'con-0009' },
      (one: Message) => one.author === 'emp-0012' && one.conversation === 'con-0009',
    ],
    [
      ['chat_message.message[like]198.51.100.23'],
      {},
      (one: Message) => one.text.includes('198.51.100.23'),
    ],
  ])('are filtered by %j as here', async (filter, sent, passes) => {
    const found = await chat.all(list, { filter });
    const expected = world.messages.filter(passes).map(({ key }) => key);
    expect(expected.length).toBeGreaterThan(0);
    expect(found.map(({ metadata }) => metadata.uid as string)).toEqual(expected);
    expect(chat.requests()[0]?.query).toEqual({ limit: '100', ...sent });
  });
});
