import { describe, expect, it } from '@jest/globals';
import type { Manifest } from '#provider-document';
import { describeProvider } from './describe-provider.js';

const manifest = {
  type: 'ticketing_acme',
  fullname: 'Acme',
  vendor: 'Acme',
  description: 'Tickets',
  availability: 'in-development',
} as Manifest;

describe('the filters of a list', () => {
  it('say why they read all of it, also the one of its time', () => {
    const reason = 'Acme filters by no time: https://acme.example/docs';
    const { operations } = describeProvider(
      manifest,
      {
        type: manifest.type,
        manifest,
        operations: {
          ticketing_query_tickets: {
            resource: 'tickets',
            action: 'query',
            fields: {
              time: { type: 'datetime' },
              created_at: { type: 'datetime' },
              updated_at: { type: 'datetime' },
            },
            readsAll: { updated_at: reason, time: reason },
          },
        },
      },
      { isBuiltIn: true, operations: true },
    );
    const list = operations?.find(({ id }) => id === 'ticketing_query_tickets');
    expect(list?.filters?.map((one) => [one.name, one.reads_all])).toEqual([
      ['time', reason],
      ['created_at', undefined],
      ['updated_at', reason],
    ]);
  });
});
