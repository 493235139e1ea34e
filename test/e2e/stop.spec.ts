import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Onefold, startDistributed, startEmbedded } from './onefold.js';
import { createMockIntegration } from './records.js';

let onefold: Onefold | undefined;
afterEach(() => onefold?.stop());

const calls = 1_000;

/** Makes one call over a connection of the agent. @returns its status, or the reason of its failure */
function get(agent: Agent, url: string, token: string): Promise<number | string> {
  return new Promise((settle) => {
    const sent = request(
      url,
      { agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.on('error', (error) => settle(error.message));
        response.on('end', () => settle(response.statusCode ?? 0)).resume();
      },
    );
    sent.on('error', (error) => settle(error.message));
    sent.end();
  });
}

describe.each([
  ['embedded', startEmbedded, 'standalone'],
  ['distributed', startDistributed, 'gateway'],
] as const)('SIGTERM, %s', (_mode, start, front) => {
  it('lets 1,000 calls that are under way finish, and the process ends with 0', async () => {
    onefold = await start();
    const { api, processes } = onefold;
    const { token } = await createMockIntegration(api, 'stop');
    const url = `${api.url}/v1/ticketing/tickets?limit=3`;
    const agent = new Agent({ keepAlive: true, maxSockets: calls, maxFreeSockets: calls });
    const wave = () => Array.from({ length: calls }, () => get(agent, url, token));
    const warm = await Promise.all(wave()); // Every call has a connection now.
    expect(new Set(warm)).toEqual(new Set([200]));

    const answers = wave();
    await Promise.race(answers);
    const stopped = processes[front]?.stop('SIGTERM');
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    agent.destroy();
    expect(await stopped).toEqual({ code: 0, signal: null });
  });
});
