import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NoPauses } from '#egress';
import type { FakeRequest, FakeResponse } from '#fakes';
import { type ClientFunctions, readFunctions } from '#provider-document';
import { Governor } from '#provider-http';
import { keyOf, onlyKey } from '#secrets';
import { openStore, type Store } from '#store';
import { createMigratedDatabase, type Json, OverFake, type TestDatabase } from '#test/harness';

const list = 'chat_query_conversation_messages';
const channel = 'C0000000001';
const minuteMs = 60_000;

const folder = new URL('../../../libs/providers/slack/', import.meta.url);
let database: TestDatabase;
let store: Store;
let functions: ClientFunctions;
beforeAll(async () => {
  functions = await readFunctions(new URL('../../libs/providers/slack/', import.meta.url));
  database = await createMigratedDatabase();
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     values ('org_1', 'acme', 'Acme', 'root', 'tok_1', now(), now())`,
  );
  await owner.end();
  store = await openStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** A workspace with threads that takes so many calls of a method in any minute, and refuses the others. */
class Workspace {
  readonly calls: { method: string; at: number }[] = [];
  refused = 0;

  constructor(
    private readonly options: { threads: number; replies: number; perMinute: number; rows: number },
  ) {}

  answer(request: FakeRequest, now: number): FakeResponse {
    const url = new URL(request.url);
    const method = url.pathname.split('/').at(-1) ?? '';
    const recent = this.calls.filter((one) => one.method === method && one.at > now - minuteMs);
    if (recent.length >= this.options.perMinute) {
      this.refused += 1;
      return json(429, { ok: false, error: 'ratelimited' }, { 'retry-after': '60' });
    }
    this.calls.push({ method, at: now });
    const all = method === 'conversations.history' ? this.heads() : this.thread(url);
    const limit = Math.min(Number(url.searchParams.get('limit')), this.options.rows);
    const start = Number(url.searchParams.get('cursor') ?? 0);
    const next = start + limit < all.length ? String(start + limit) : '';
    const messages = all.slice(start, start + limit);
    return json(200, { ok: true, messages, response_metadata: { next_cursor: next } });
  }

  private heads(): Json[] {
    return Array.from({ length: this.options.threads }, (_, index) => {
      const ts = tsOf(2_000_000 - index * 100);
      return { type: 'message', user: 'U1', text: 'head', ts, thread_ts: ts, reply_count: 1 };
    });
  }

  private thread(url: URL): Json[] {
    const head = url.searchParams.get('ts') ?? '';
    const replies = Array.from({ length: this.options.replies }, (_, index) => ({
      type: 'message',
      user: 'U2',
      text: 'reply',
      thread_ts: head,
      ts: (Number(head) + index + 1).toFixed(6),
    }));
    return [{ type: 'message', user: 'U1', text: 'head', ts: head, thread_ts: head }, ...replies];
  }
}

const tsOf = (offset: number) => `${1_760_000_000 + offset}.000100`;

function json(status: number, body: Json, headers = {}): FakeResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Reads the list as a caller does who waits as long as a 429 says. @returns the ids of the messages, and the minutes that it took */
async function readMessages(workspace: Workspace, app: string | null, name: string) {
  const place = `${name}: `;
  const permits = new Governor(store, {
    keys: onlyKey(keyOf(Buffer.alloc(32, 5))),
    pauses: new NoPauses((ms) => (slack.now += ms)),
    clock: { now: () => slack.now },
  });
  const slack: OverFake = new OverFake(folder, 'chat_slack', {
    config: { app },
    principal: 'bot',
    functions,
    requestMs: 100,
    before: (request) => workspace.answer(request, slack.now),
    permits: {
      acquire: ({ credential: _, ...given }, ...rest) =>
        permits.acquire({ ...given, key: place + given.key }, ...rest),
    },
  });
  const begun = slack.now;
  const ids: string[] = [];
  let cursor = '';
  do {
    const request = { path: { conversationId: channel }, query: { limit: 500, cursor } };
    const { status, body, headers } = await slack.answerTo(list, request);
    if (status === 429) slack.now += Number(headers?.['retry-after']) * 1_000;
    else {
      expect([status, body['message']]).toEqual([200, undefined]);
      ids.push(...(body['result'] as Json[]).map(({ metadata }) => metadata.uid as string));
      cursor = body['cursor'] as string;
    }
  } while (cursor !== '');
  return { ids, minutes: (slack.now - begun) / minuteMs };
}

const countOf = ({ calls }: Workspace, method: string) =>
  calls.filter((one) => one.method === method).length;

describe('a list of threads at the limits that Slack documents', () => {
  it('of 1,000 ends without a refused or a lost call, at 50 a minute', async () => {
    const workspace = new Workspace({ threads: 1_000, replies: 1, perMinute: 50, rows: 1_000 });
    const { ids, minutes } = await readMessages(workspace, null, 'internal');
    expect([ids.length, new Set(ids).size]).toEqual([2_000, 2_000]);
    expect(workspace.refused).toBe(0);
    expect(countOf(workspace, 'conversations.history')).toBe(25);
    expect(countOf(workspace, 'conversations.replies')).toBe(1_000);
    expect(minutes).toBeLessThan(30);
  });

  it('ends for an app that may call once a minute and gets 15 rows, whatever a thread has', async () => {
    const workspace = new Workspace({ threads: 40, replies: 20, perMinute: 1, rows: 15 });
    const { ids } = await readMessages(workspace, 'distributed', 'distributed');
    expect([ids.length, new Set(ids).size]).toEqual([40 * 21, 40 * 21]);
    expect(workspace.refused).toBe(0);
    expect(countOf(workspace, 'conversations.history')).toBe(3);
    expect(countOf(workspace, 'conversations.replies')).toBe(40 * 2);
  });
});
