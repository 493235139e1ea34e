import { beforeAll, expect, it } from '@jest/globals';
import { operationOf } from './operations.js';
import { loadValidators, validateBody } from './validate-body.js';

beforeAll(loadValidators);
const create = operationOf('ticketing_create_ticket');
const faultsOf = (due_date: string) =>
  validateBody(create, { name: 'A printer is on fire', due_date }).map(({ pointer }) => pointer);

it.each(['2026-01-31T12:00:00Z', '2026-01-31 12:00:00.5+02:00', '2024-02-29T23:59:59-11:30'])(
  'takes the time %s',
  (time) => {
    expect(faultsOf(time)).toEqual([]);
  },
);

it.each(['2026-01-31', '2026-13-01T00:00:00Z', '2026-01-31T24:00:00Z', '9999-12-31T23:59:60Z'])(
  'refuses the time %s, which a Date cannot hold',
  (time) => {
    expect(faultsOf(time)).toEqual(['/due_date']);
  },
);
