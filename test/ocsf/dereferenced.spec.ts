import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { MockClient, stepsOf, Walker } from '#apps/provider-kit';
import { mockOverFake, mockSources } from '../harness/fakes/mock-over-fake.js';
import { mockWalks } from '../walks/mock-walks.js';
import { isExcused, wantedMembers } from './wanted-members.js';

beforeAll(() => loadValidators());

const walked = mockSources().flatMap((source) => {
  const walk = mockWalks.find(({ type }) => type === source.mock);
  return walk === undefined ? [] : [{ source, walk }];
});

describe.each(walked.map((one) => [one.source.type, one] as const))('%s', (type, one) => {
  it('fills what clients read of its records without a check', async () => {
    const { folder, mock } = one.source;
    const over = mockOverFake({ folder, type: mock });
    over.fake.limits.override = { requests: 1_000_000, seconds: 60 };
    const missing = new Map<string, number>();
    const client = new MockClient(over);
    client.onResult = (id: OperationId, result: unknown) => {
      for (const record of [result].flat())
        for (const member of wantedMembers(record)) {
          const place = `${type} ${id} ${member}`;
          missing.set(place, (missing.get(place) ?? 0) + 1);
        }
    };
    await new Walker(client, {
      values: { unique: `Needle of ${type}` },
      offers: () => true,
      hasProvider: true,
    }).run({ name: type, steps: stepsOf(over.provider.operations, one.walk.steps) });
    expect([...missing].filter(([place, count]) => !isExcused(place, count))).toEqual([]);
  });
});
