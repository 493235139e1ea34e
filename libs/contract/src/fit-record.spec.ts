import { describe, expect, it } from '@jest/globals';
import { enumeratedFields, fitRecord, validateRecord } from './index.js';

const id = 'ticketing_query_tickets';
const ticket = {
  id: '1',
  name: 'a',
  summary: 'a',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};
const finding = {
  class_name: 'Vulnerability Finding',
  class_uid: 2002,
  category_uid: 2,
  activity_id: 1,
  type_uid: 200_201,
  severity_id: 4,
  time: 1_769_860_800_000,
  metadata: { product: { name: 'Acme' }, version: '1.3.0' },
  finding_info: { uid: 'f-1', title: 'Old library' },
  vulnerabilities: [{ cve: { uid: 'CVE-2026-1' } }],
};

describe('fields with enumerated values', () => {
  it('are those of the record itself', () => {
    expect(enumeratedFields(id)).toEqual(['priority']);
    expect(enumeratedFields('notifications_create_message')).toContain('notification_status');
    expect(enumeratedFields('custom_query')).toEqual([]);
  });
});

describe('a record that does not fit the contract', () => {
  it('keeps what fits, and has the rest in unmapped under the name of its field', () => {
    const { record, misfits } = fitRecord(id, {
      ...ticket,
      priority: 'P1',
      due_date: '01/02/2026',
      status: 5,
      tags: ['a', 7, 'b'],
      unmapped: { floor: 3 },
      beside: true,
    });
    expect(record).toEqual({
      ...ticket,
      tags: ['a', 'b'],
      beside: true,
      unmapped: { floor: 3, priority: 'P1', due_date: '01/02/2026', status: 5, 'tags.1': 7 },
    });
    expect(validateRecord(id, record)).toBeUndefined();
    expect(misfits.map(({ pointer, outcome }) => `${outcome} ${pointer}`)).toEqual([
      'moved /priority',
      'moved /due_date',
      'moved /status',
      'moved /tags/1',
    ]);
    expect(misfits[2]?.message).toBe('must be a string, is a number');
    expect(misfits.filter((one) => one.isUnknown).map(({ pointer }) => pointer)).toEqual([
      '/priority',
    ]);
  });

  it('keeps a value beside one of the same name that unmapped has already', () => {
    const { record } = fitRecord(id, { ...ticket, status: 5, unmapped: { status: 'five' } });
    expect(record?.['unmapped']).toEqual({ status: 'five', '/status': 5 });
  });

  it('is left out without an id or a time that nothing else tells', () => {
    const without = (field: string, value: unknown) => {
      const { record, misfits } = fitRecord(id, { ...ticket, [field]: value });
      expect(record).toBeUndefined();
      return misfits.map(({ pointer, message }) => `${pointer} ${message}`);
    };
    expect(without('id', undefined)).toEqual(['/id is missing']);
    expect(without('id', '')).toEqual(['/id is empty']);
    expect(without('id', null)).toEqual(['/id must be a string, is null']);
    expect(without('created_at', '01/02/2026')).toEqual([
      '/created_at must be a time such as 2026-01-31T12:00:00Z, is a string',
    ]);
    expect(fitRecord(id, 'text')).toMatchObject({ record: undefined });
    expect(validateRecord(id, { ...ticket, id: '' })).toMatchObject({ message: 'is empty' });
  });

  it('gets a required field from another that says the same', () => {
    const { updated_at: _left, ...rest } = { ...ticket, name: null, id: 17 };
    const { record, misfits } = fitRecord(id, rest);
    expect(record).toMatchObject({ id: '17', name: 'a', updated_at: ticket.created_at });
    expect(validateRecord(id, record)).toBeUndefined();
    expect(misfits.map(({ pointer }) => pointer).sort()).toEqual(['/id', '/name', '/updated_at']);
  });

  it('gets the ids of OCSF by the rules of OCSF', () => {
    const { severity_id: _left, type_uid: _uid, class_uid: _class, ...rest } = finding;
    const one = fitRecord('vulnerabilities_query_scan_findings', { ...rest, activity_id: 77 });
    expect(one.record).toMatchObject({ severity_id: 0, activity_id: 99, type_uid: 200_299 });
    expect(one.record).toMatchObject({ class_uid: 2002, unmapped: { activity_id: 77 } });
    expect(validateRecord('vulnerabilities_query_scan_findings', one.record)).toBeUndefined();
  });

  it('loses the smallest part that can be had alone', () => {
    const device = { uid: 'd-1', type_id: 'laptop', os: { name: 'Linux' } };
    const { record, misfits } = fitRecord('vulnerabilities_query_scan_findings', {
      ...finding,
      device,
    });
    expect(record?.['finding_info']).toEqual(finding.finding_info);
    expect(misfits.length).toBeGreaterThan(0);
    expect(validateRecord('vulnerabilities_query_scan_findings', record)).toBeUndefined();
  });

  it('takes time in proportion to its size', () => {
    const tags = Array.from({ length: 20_000 }, () => 1);
    const begun = performance.now();
    const { misfits } = fitRecord(id, { ...ticket, tags });
    expect(misfits).toHaveLength(20_000);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
