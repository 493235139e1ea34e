import { describe, expect, it } from '@jest/globals';
import type { ProviderRecord } from '../provider-record.js';
import { fieldLimits, KnownFields } from './known-fields.js';

const { learnedRecords, learnedPerResponse, sampleEvery } = fieldLimits;

/** Looks at records, one in each response. */
function look(known: KnownFields, record: ProviderRecord, times = 1, integration = 'int_1') {
  return Array.from({ length: times }, () =>
    known.ofResponse('acme list', integration).findNew(record),
  ).flat();
}

/** The fields of an operation whose first records were like this one. */
function learned(record: ProviderRecord): KnownFields {
  const known = new KnownFields();
  expect(look(known, record, learnedRecords)).toEqual([]);
  return known;
}

describe('the fields of a provider record', () => {
  it('are new once, when they were in none of the first records', () => {
    const known = learned({ id: 1, tags: [{ name: 'a' }] });
    const changed = { id: 'x', tags: [{ name: 'a', colour: 'red' }], owner: { mail: 'a@b.c' } };
    expect(look(known, changed, sampleEvery)).toEqual(['tags[].colour', 'owner.mail']);
    expect(look(known, changed, 3 * sampleEvery)).toEqual([]);
  });

  it('are learned from the first records of each integration, which may have fields of its own', () => {
    const known = learned({ id: 1 });
    expect(look(known, { id: 1, customfield_10010: 'x' }, 100, 'int_2')).toEqual([]);
    expect(look(known, { id: 1, customfield_10010: 'x' }, sampleEvery)).toEqual([]);
  });

  it('are not new below a field that was null or empty', () => {
    const known = learned({ id: 1, assignee: null, labels: [], links: {} });
    const filled = { id: 1, assignee: { id: 7 }, labels: [{ id: 7 }], links: { self: 'x' } };
    expect(look(known, filled, sampleEvery)).toEqual([]);
    expect(look(known, { ...filled, late: true }, sampleEvery)).toEqual(['late']);
  });

  it('are not new while they are null', () => {
    const known = learned({ id: 1 });
    expect(look(known, { id: 1, late: null }, sampleEvery)).toEqual([]);
  });

  it('have names that are data written as *', () => {
    const known = learned({ id: 1 });
    const people = {
      'anna@example.com': { since: 1 },
      'bob@example.com': { since: 2 },
      '4e1243bd-22c6-4e76-82ba-9edd2c1c7ab2': { since: 3 },
      '10.0.0.1': { since: 4 },
      'two words': { since: 5 },
    };
    expect(look(known, { id: 1, people }, sampleEvery)).toEqual(['people.*.since']);
  });
});

describe('the cost of looking at records', () => {
  /** A record that counts how often somebody looks at it. */
  function watched() {
    const seen = { times: 0 };
    const record = {
      get id() {
        seen.times += 1;
        return 1;
      },
    };
    return { seen, record };
  }

  it('is that of ten records of a response at first, and of one in thirty-two then', () => {
    const known = new KnownFields();
    const { seen, record } = watched();
    const response = known.ofResponse('acme list', 'int_1');
    for (let index = 0; index < 100; index += 1) response.findNew(record);
    expect(seen.times).toBe(learnedPerResponse);
    look(known, record, learnedRecords - learnedPerResponse);
    seen.times = 0;
    look(known, record, 10 * sampleEvery);
    expect(seen.times).toBe(10);
  });

  it('is bounded for a record of any size and depth', () => {
    const known = new KnownFields();
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n]));
    let deep: ProviderRecord = { end: 1 };
    for (let depth = 0; depth < 5_000; depth += 1) deep = { in: deep };
    look(known, { deep, long: Array.from({ length: 10_000 }, () => wide), wide }, learnedRecords);
    expect(look(known, { deep, late: 1 }, sampleEvery)).toEqual(['late']);
  });

  it('ends where keys are data: an operation with a thousand fields reports no more', () => {
    const known = learned({ id: 1 });
    const found: string[] = [];
    for (let n = 0; n < 3 * fieldLimits.maxFields; n += 1)
      found.push(...look(known, { [`host_${n}`]: 1 }, sampleEvery));
    expect(found.length).toBeLessThan(fieldLimits.maxFields);
    expect(look(known, { late: 1 }, sampleEvery)).toEqual([]);
  });

  it('keeps a bounded number of operations and integrations, and learns those again that it has dropped', () => {
    const known = learned({ id: 1 });
    for (let n = 0; n < fieldLimits.maxIntegrations; n += 1) look(known, { id: 1 }, 1, `int_x${n}`);
    expect(look(known, { id: 1, late: 1 }, sampleEvery)).toEqual([]);
    for (let n = 0; n < fieldLimits.maxOperations; n += 1)
      known.ofResponse(`acme list${n}`, 'int_1').findNew({ id: 1 });
    expect(look(known, { id: 1, later: 1 }, sampleEvery)).toEqual([]);
  });
});
