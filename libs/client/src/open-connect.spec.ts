import { afterEach, describe, expect, it } from '@jest/globals';
import { openConnect } from './index.js';

interface Given {
  host: string;
  organization: string;
  session: string;
  onSuccess: (done: object) => void;
  onExit: (reason: string) => void;
  onEvent: (event: object) => void;
}
type Scripted = { document?: unknown; Onefold?: unknown };

const page = globalThis as Scripted;
const options = { url: 'https://onefold.example.com', organization: 'acme', session: 'one' };
/** The options of each opened Connect UI, in order. */
let opened: Given[] = [];
let sessions: string[] = [];

/** A page whose script tag loads the Connect UI, or something else. */
function makePage({ loads = true, isEmbed = true } = {}): string[] {
  const loaded: string[] = [];
  const embed = {
    connect: (given: Given) => {
      opened.push(given);
      return {
        close: () => given.onExit('closed'),
        refresh: (session: string) => sessions.push(session),
      };
    },
  };
  page.document = {
    createElement: () => ({}),
    head: {
      append: (script: { src: string; onload: () => void; onerror: () => void }) => {
        loaded.push(script.src);
        if (loads && isEmbed) page.Onefold = embed;
        setImmediate(() => (loads ? script.onload() : script.onerror()));
      },
    },
  };
  return loaded;
}
const idle = () => new Promise((resolve) => setTimeout(resolve, 10));

afterEach(() => {
  delete page.document;
  delete page.Onefold;
  opened = [];
  sessions = [];
});

describe('openConnect', () => {
  it('loads the script of the service once, and returns what the customer connected', async () => {
    const loaded = makePage();
    for (const end of ['int_1', 'int_2']) {
      const ended = openConnect(options);
      await idle();
      const given = opened.at(-1);
      expect(given).toMatchObject({ host: options.url, organization: 'acme', session: 'one' });
      given?.onSuccess({ integration_id: end, provider_id: 'ticketing_jira', created: true });
      given?.onExit('complete');
      expect(await ended).toEqual({
        connected: true,
        integration_id: end,
        provider_id: 'ticketing_jira',
        created: true,
      });
    }
    expect(loaded).toEqual(['https://onefold.example.com/connect/embed-1.js']);
  });

  it('says why it ended, and which integration was removed', async () => {
    makePage();
    const left = openConnect(options);
    await idle();
    opened[0]?.onExit('cancelled');
    expect(await left).toEqual({ connected: false, reason: 'cancelled' });
    const removed = openConnect(options);
    await idle();
    opened[1]?.onEvent({ type: 'deleted', integration_id: 'int_1' });
    opened[1]?.onExit('complete');
    expect(await removed).toEqual({
      connected: false,
      reason: 'complete',
      deleted_integration_id: 'int_1',
    });
    const closed = openConnect(options, AbortSignal.abort());
    expect(await closed).toEqual({ connected: false, reason: 'closed' });
  });

  it('renews a session that has expired', async () => {
    makePage();
    const ended = openConnect({ ...options, renew: () => Promise.resolve('two') });
    await idle();
    opened[0]?.onEvent({ type: 'expired' });
    await idle();
    expect(sessions).toEqual(['two']);
    opened[0]?.onExit('cancelled');
    await ended;
    const failed = openConnect({
      ...options,
      renew: () => Promise.reject(new Error('logged off')),
    });
    await idle();
    opened[1]?.onEvent({ type: 'expired' });
    await expect(failed).rejects.toThrow('logged off');
  });

  it('says what is missing', async () => {
    await expect(openConnect(options)).rejects.toThrow('runs in the page of a browser');
    makePage({ loads: false });
    await expect(openConnect(options)).rejects.toThrow('embed-1.js cannot be loaded');
    makePage({ isEmbed: false });
    await expect(openConnect(options)).rejects.toThrow('is not the script of the Connect UI');
  });
});
