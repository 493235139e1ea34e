import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compileDocument } from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';

type Record_ = Record<string, unknown>;

/** Runs a mapping of the provider on one document of a search. */
function mapOf(name: string): (source: Record_) => Record_ {
  const text = readFileSync(new URL(`./mappings/${name}.yaml`, import.meta.url), 'utf8');
  const mapping = compileDocument(text, { shared: sharedTemplate });
  return (_source) => mapping.run({ _index: 'logs-x', _id: '1', _source })?.record as Record_;
}

/** The same document with names that have dots. */
function dotted(value: Record_, before = ''): Record_ {
  const fields = Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.entries(dotted(inner as Record_, `${before}${key}.`))
      : [[before + key, inner]],
  );
  return Object.fromEntries(fields) as Record_;
}

const logon = {
  '@timestamp': '2026-02-03T04:05:06.000Z',
  message: 'ada logged on',
  event: { category: ['authentication'], action: 'logged-in', outcome: 'success', id: 'e-7' },
  user: { id: '42', name: 'ada' },
  host: { hostname: 'build-3', id: 'h-3', ip: ['10.3.0.1', '10.3.0.2'] },
  source: { ip: '198.51.100.7', port: 50_022 },
  labels: { team: 'blue' },
};

describe('names with dots', () => {
  it.each([['event'], ['alert']])('are the same as objects within each other, in an %s', (name) => {
    const alert = {
      kibana: {
        alert: { uuid: 'a-1', severity: 'high', rule: { name: 'Odd logon', type: 'eql' } },
      },
    };
    const source: Record_ = name === 'alert' ? { ...logon, ...alert } : logon;
    const map = mapOf(name);
    const nested = map(source);
    expect(nested).toMatchObject({
      time: Date.parse(logon['@timestamp']),
      actor: { user: { uid: '42', name: 'ada' } },
      device: { uid: 'h-3', hostname: 'build-3', ip: '10.3.0.1' },
      ...(name === 'alert'
        ? { severity_id: 4, finding_info: { uid: 'a-1', title: 'Odd logon' } }
        : { class_uid: 3002, status_id: 1, src_endpoint: { ip: '198.51.100.7' } }),
    });
    expect(map(dotted(source))).toEqual(nested);
    expect(map({ ...source, host: { hostname: 'build-3', id: 'h-3', ip: logon.host.ip } })).toEqual(
      nested,
    );
  });

  it('are read of an event that was sent here in OCSF', () => {
    const event = { class_uid: 3002, metadata: { uid: 'm-1', version: '1.3.0' } };
    expect(mapOf('event')(dotted(event))).toEqual(event);
  });
});

describe('a document of Elasticsearch', () => {
  const map = mapOf('event');

  it.each([
    ['milliseconds', 1_770_091_506_000],
    ['milliseconds as text', '1770091506000'],
    ['an offset without a colon', '2026-02-03T05:05:06.000+0100'],
    ['nanoseconds', '2026-02-03T04:05:06.000000000Z'],
    ['no zone', '2026-02-03T04:05:06'],
    ['a list', ['2026-02-03T04:05:06Z']],
  ])('may have %s as its time', (_name, time) => {
    expect(map({ ...logon, '@timestamp': time })['time']).toBe(1_770_091_506_000);
  });

  it('may have lists where ECS has one value: the first is mapped, and all are kept', () => {
    const result = map({
      ...logon,
      event: { ...logon.event, action: ['logged-in', 'elevated'] },
      host: { hostname: ['build-3', 'build-3.example'] },
      user: { name: ['ada'] },
    });
    expect(result).toMatchObject({
      class_uid: 3002,
      device: { hostname: 'build-3' },
      actor: { user: { name: 'ada' } },
      unmapped: {
        event: { action: ['logged-in', 'elevated'] },
      },
    });
    expect(JSON.stringify(result)).toContain('build-3.example');
  });

  it('may have a name where ECS has an object', () => {
    const result = map({ ...logon, host: 'build-3', user: 'ada' });
    expect(result).toMatchObject({
      device: { hostname: 'build-3' },
      actor: { user: { name: 'ada' } },
    });
  });

  it('has the severity of its source', () => {
    const severity = (value: unknown) =>
      map({ ...logon, event: { ...logon.event, severity: value } })['severity_id'];
    expect([73, 'low', 3].map(severity)).toEqual([4, 2, 99]);
  });
});
