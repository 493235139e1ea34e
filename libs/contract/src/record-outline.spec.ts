import { describe, expect, it } from '@jest/globals';
import { recordOutline } from './record-outline.js';

describe('recordOutline', () => {
  it('has the fields and the required fields of an operation that returns records', () => {
    const outline = recordOutline('ticketing_query_tickets');
    expect(outline?.names).toEqual(expect.arrayContaining(['id', 'name', 'custom_fields']));
    expect(outline?.required).toEqual(['name', 'created_at', 'updated_at', 'id', 'summary']);
    expect(outline?.inside('attachments')?.names).toContain('file_name');
    expect(outline?.inside('custom_fields')).toBeUndefined();
    expect(outline?.inside('nothing')).toBeUndefined();
  });

  it('joins the types of a union, and requires what each of them requires', () => {
    const outline = recordOutline('edr_query_alerts');
    expect(outline?.names).toEqual(expect.arrayContaining(['class_uid', 'metadata']));
    expect(outline?.inside('metadata')?.names).toContain('version');
  });

  it('knows nothing of records that are free', () => {
    expect(recordOutline('siem_query_events')).toBeUndefined();
  });
});
