import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { compareCall, openMock, replay, type WitnessRecord } from './witness.js';

const folder = new URL('../../../test/witness/records/', import.meta.url);
const records = readdirSync(folder).map((name): [string, WitnessRecord] => [
  name.replace('.json', ''),
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as WitnessRecord,
]);

beforeAll(() => loadValidators());

it('clients of at least six vendors have read the fakes', () => {
  const vendors = new Set(records.map(([, { client }]) => client.split('/')[0]));
  expect(vendors.size).toBeGreaterThan(5);
});

describe.each(records)("the vendor's client and our document, for %s,", (type, record) => {
  it('read the same records', async () => {
    const over = await openMock(type);
    const faults: string[] = [];
    for (const call of record.calls) faults.push(...(await compareCall(over, call)));
    expect(faults).toEqual([]);
    expect(record.calls.flatMap(({ read }) => read).length).toBeGreaterThan(3);
  });

  it('get responses from the fake that the client can read', async () => {
    const over = await openMock(type, undefined, new Date(record.at));
    expect(await replay(over, record)).toEqual([]);
    // All events of a sink may be in one request; lists have pages.
    const requests = record.calls.some(({ sent }) => sent !== undefined) ? 0 : 1;
    expect(record.exchanges.length).toBeGreaterThan(requests);
  });
});

it('a fake with another format, or with fewer records, is found', async () => {
  const [, record] = records.find(([type]) => type === 'chat_slack_mock') ?? [];
  if (record === undefined) throw new Error('there is no record of Slack');
  const over = await openMock('chat_slack_mock');
  over.fake.faults.add({ kind: 'drift', alter: 'root.members = root.members.slice(1)' });
  const [users] = record.calls;
  expect(users && (await compareCall(over, users))).toContainEqual(
    'chat_query_users: 39 records, not 40',
  );
  over.fake.faults.add({
    kind: 'drift',
    alter: 'root.members = root.members.map_each(m -> m.without("team_id"))',
  });
  expect(await replay(over, record)).toContainEqual(expect.stringContaining('another shape'));
});
