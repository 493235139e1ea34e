import { makeWorld } from '#fakes';
import { type Json, OverFake } from '#test/harness';
import * as functions from './client.js';

const start = new Date('2026-11-22T00:00:00Z');
export const world = makeWorld({ start, dataset: 'BASIC' });
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

/** Opens an integration over the fake of Slack. */
export function connect(config = {}, principal = 'bot', type = 'chat_slack'): OverFake {
  return new OverFake(new URL('./', import.meta.url), type, {
    config,
    principal,
    classes,
    functions,
  });
}

/** Returns the id of a channel. */
export async function channelOf(slack: OverFake, name: string): Promise<string> {
  const all = await slack.all('chat_query_conversations');
  return idOf(all.find((one) => (one['conversation'] as { name: string }).name === name) ?? {});
}

export function idOf({ conversation: { uid } }: Json): string {
  return uid as string;
}
