import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { InProcessTransport } from '#bus';
import { Health, JsonLog, Metrics } from '#observe';
import { keyOf, Sealer } from '#secrets';
import { openModules, type Served } from './index.js';

const apps = new URL('../../../../apps/', import.meta.url);

class Empty {}

function given() {
  const events: string[] = [];
  const transport = new InProcessTransport();
  const close = transport.close.bind(transport);
  transport.close = async () => {
    events.push('bus closed');
    await close();
  };
  const open = (name: string) => (): Served => {
    events.push(`${name} opened`);
    return {
      module: { module: Empty },
      close: () => Promise.resolve(void events.push(`${name} closed`)),
    };
  };
  const log = new JsonLog({ service: 'spec', level: 'error' });
  const observed = { log, health: new Health(), metrics: new Metrics('spec') };
  return {
    events,
    open,
    parts: { sealer: new Sealer(keyOf(Buffer.alloc(32, 7))), transport, observed },
  };
}

describe('the modules of a process', () => {
  it('are opened in order, and closed in reverse after the bus', async () => {
    const { events, open, parts } = given();
    const { stop } = await openModules([open('one'), open('two')], parts);
    expect(events).toEqual(['one opened', 'two opened']);
    await stop();
    expect(events.slice(2)).toEqual(['bus closed', 'two closed', 'one closed']);
  });

  it('end their own work while the process is on the bus', async () => {
    const { events, open, parts } = given();
    const drain = () => Promise.resolve(void events.push('work ended'));
    const { stop } = await openModules([() => ({ ...open('one')(), drain })], parts);
    await stop();
    expect(events).toEqual(['one opened', 'work ended', 'bus closed', 'one closed']);
  });

  it('are closed when a later one fails to open', async () => {
    const { events, open, parts } = given();
    const broken = () => Promise.reject(new Error('no database'));
    await expect(openModules([open('one'), broken, open('two')], parts)).rejects.toThrow(
      'no database',
    );
    expect(events).toEqual(['one opened', 'one closed', 'bus closed']);
  });

  it('are closed when the process cannot listen', async () => {
    const { events, open, parts } = given();
    const listen = () => Promise.reject(new Error('the port is taken'));
    await expect(openModules([open('one')], { ...parts, listen })).rejects.toThrow('port');
    expect(events).toEqual(['one opened', 'one closed', 'bus closed']);
  });
});

it.each(['admin', 'connector', 'console', 'gateway', 'management', 'standalone'])(
  'apps/%s is named in a main file of 15 lines at most',
  (name) => {
    const text = readFileSync(new URL(`${name}/src/main.ts`, apps), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  },
);
