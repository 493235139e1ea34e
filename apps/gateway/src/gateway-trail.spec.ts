import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Bus, GatewayRecord } from '#bus';
import { operationOf, operations } from '#contract';
import { GatewayTrail } from './gateway-trail.js';

beforeAll(() => {
  Logger.overrideLogger(false); // records are lost on purpose here
});

afterEach(() => void jest.useRealTimers());

const whose = { organizationId: 'org_a', memberId: 'mbr_a' };
const origin = (path: string) => ({
  requestId: 'r',
  method: 'POST',
  path,
  remoteAddress: '192.0.2.1',
  userAgent: 'spec',
});

/** A trail whose management service can be away, or take records and never answer. */
function trailOver() {
  const sent: GatewayRecord[][] = [];
  const state = { away: false, silent: false };
  const bus = {
    call: async (_name: string, { records }: { records: GatewayRecord[] }) => {
      if (state.away) throw new Error('nobody there');
      if (state.silent) await new Promise(() => undefined);
      sent.push(records);
    },
  } as unknown as Bus;
  const trail = new GatewayTrail(bus);
  const note = (path: string, status = 403): void =>
    void trail.note(operationOf('accounts_create'), whose, origin(path), status, `no ${path}`);
  return { sent, state, trail, note, all: () => sent.flat() };
}

describe('the trail of a gateway', () => {
  it('sends what is the same as one with its number, and what differs by itself', async () => {
    const { trail, note, all } = trailOver();
    for (const path of ['/a', '/b', '/a', '/a']) note(path);
    note('/a', 400);
    await trail.flush();
    expect(all()).toMatchObject([
      { path: '/a', status: 403, event: 'permission_denied', times: 3 },
      { path: '/b', times: 1 },
      { path: '/a', status: 400, times: 1 },
    ]);
    expect(all()[2]).not.toHaveProperty('event');
  });

  it('keeps what cannot be sent, and adds what comes meanwhile', async () => {
    const { state, trail, note, all } = trailOver();
    state.away = true;
    note('/a');
    await trail.flush();
    note('/a');
    note('/b');
    await trail.flush();
    expect(all()).toEqual([]);
    state.away = false;
    await trail.onModuleDestroy();
    expect(all().map(({ path, times }) => [path, times])).toEqual([
      ['/a', 2],
      ['/b', 1],
    ]);
  });

  it('holds no more than two thousand, and sends a hundred at a time', async () => {
    const { sent, trail, note, all } = trailOver();
    for (let index = 0; index < 3_000; index += 1) note(`/${index}`);
    await trail.flush();
    expect(all()).toHaveLength(2_000);
    expect(Math.max(...sent.map(({ length }) => length))).toBe(100);
    note('/after');
    await trail.flush();
    expect(all().at(-1)).toMatchObject({ path: '/after' });
  });

  it('keeps an answer back until it is recorded, and no longer than a second', async () => {
    jest.useFakeTimers();
    const { state, trail, all } = trailOver();
    const operation = operationOf('accounts_create');
    const answered: string[] = [];
    const note = (path: string) =>
      void trail.note(operation, whose, origin(path), 403, 'no').then(() => answered.push(path));
    note('/a');
    expect(answered).toEqual([]);
    await jest.advanceTimersByTimeAsync(5);
    expect([answered, all().length]).toEqual([['/a'], 1]);
    state.away = true;
    note('/b'); // Its batch fails at once, which ends its wait.
    await jest.advanceTimersByTimeAsync(5);
    expect(answered).toEqual(['/a', '/b']);
    state.away = false;
    state.silent = true;
    note('/c');
    await jest.advanceTimersByTimeAsync(999);
    expect(answered).toEqual(['/a', '/b']);
    await jest.advanceTimersByTimeAsync(1);
    expect(answered).toEqual(['/a', '/b', '/c']);
    expect(all()).toHaveLength(1);
  });

  it('has of the connector API what matters to security, and no ordinary failure', async () => {
    const { trail, all } = trailOver();
    const operation = operationOf('ticketing_create_ticket');
    for (const status of [400, 401, 403])
      await trail.note(operation, whose, origin('/v1/ticketing/tickets'), status, 'no');
    await trail.flush();
    expect(all().map(({ event, status }) => [event, status])).toEqual([
      ['token_refused', undefined],
      ['permission_denied', undefined],
    ]);
  });

  // Calls of the connector API are told apart by their method: a read by POST would be recorded as a change.
  it('takes no read for a change, because no operation of the connector API reads by another method than GET', () => {
    const changes =
      /_(add|cancel|clear|create|delete|disable|enable|execute|expire|force|lock|network|passthrough|patch|post|proxy|remediate|restart|retrieve|update|upload|wipe)(_|$)/;
    const reads = /_(download|get|list|query)(_|$)/;
    const ofConnectors = [...operations.values()].filter(({ side }) => side === 'connector');
    const wrong = ofConnectors.filter(
      ({ id, method }) => !(method === 'GET' ? reads : changes).test(id),
    );
    expect(wrong.map(({ id, method }) => `${method} ${id}`)).toEqual([]);
    expect(ofConnectors.length).toBeGreaterThan(100);
  });

  it('has the changes at providers soon after their responses, with the integration', async () => {
    jest.useFakeTimers();
    const { trail, all } = trailOver();
    const ofIntegration = { ...whose, accountId: 'acc_a', integrationId: 'int_a' };
    const path = '/v1/edr/endpoints/actions/quarantine';
    for (let index = 0; index < 2; index += 1) trail.noteChange(ofIntegration, origin(path), 200);
    await jest.advanceTimersByTimeAsync(499);
    expect(all()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(all()).toMatchObject([
      { ...ofIntegration, path, method: 'POST', status: 200, times: 2 },
    ]);
  });
});
