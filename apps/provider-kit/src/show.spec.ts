import { describe, expect, it } from '@jest/globals';
import { operationOf, operations } from '#contract';
import { requestInput, showOperation } from './show.js';

/** "What `request` sees is documented per operation, and printed by `provider -- show OPERATION`." */
describe('an operation that is shown', () => {
  it('has its call, what expressions see, what request sees and what response makes', () => {
    const text = showOperation('ticketing_create_ticket') as string;
    expect(text).toContain('POST /v1/ticketing/tickets, a create');
    expect(text).toMatch(/Expressions of its first step see\n[^]*this\.body\n[^]*this\.batch_id\n/);
    expect(text).toMatch(/request sees the body of the caller\n {2}name +string \(required\)\n/);
    expect(text).toMatch(/ {2}priority +"URGENT" \| "CRITICAL"/);
    expect(text).toMatch(/ {2}due_date +time, RFC 3339\n/);
    expect(text).toMatch(
      /response makes a record with\n[^]* {2}id +string \(required, read-only\)\n/,
    );
    expect(text).toMatch(/ {2}attachments +list of object of .*file_name/);
  });

  it('has the path parameters by their names, and for lists their filters', () => {
    expect(showOperation('ticketing_get_ticket')).toContain('  this.path.ticketId\n');
    const list = showOperation('ticketing_query_tickets') as string;
    expect(list).toMatch(/ {2}this\.filters\n/);
    expect(list).not.toContain('request sees');
  });

  it('has the whole record for a patch, and the elements of a list', () => {
    const { about, fields } = requestInput(operationOf('ticketing_patch_ticket')) ?? {};
    expect(about).toContain('as the patch leaves it');
    expect(fields?.map(({ name }) => name)).toContain('summary');
    const events = requestInput(operationOf('sink_post_events'));
    expect(events?.about).toContain('a list');
    expect(events?.fields.map(({ name }) => name)).toContain('class_uid');
    expect(requestInput(operationOf('ticketing_create_attachment'))?.fields).toBeDefined();
  });

  it('is any of the connector API, and others are named that sound alike', () => {
    const ids = [...operations.values()]
      .filter(({ side }) => side === 'connector')
      .map(({ id }) => id);
    expect(ids.filter((id) => typeof showOperation(id) !== 'string')).toEqual([]);
    expect(showOperation('ticketing_create_tickt')).toEqual({
      unknown: expect.stringContaining('ticketing_create_ticket'),
    });
  });
});
