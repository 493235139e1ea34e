import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createKeyFile } from '#secrets';
import { createTestDatabase, startNats } from '#test/harness';
import { admin, newFolder } from './onefold.js';
import { ended, startApp } from './processes.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder(): string {
  const made = newFolder();
  cleanups.push(() => rmSync(made, { recursive: true, force: true }));
  return join(made, 'data');
}

describe('a start that fails', () => {
  it('says that nothing listens where the database is configured', async () => {
    const wrong = { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/onefold' };
    const { code, text } = await ended(startApp('standalone', ['--data', folder()], wrong));
    expect(code).toBe(1);
    expect(text).toBe(
      'postgres://127.0.0.1:1/onefold: nothing listens there. Start PostgreSQL, or correct DATABASE_URL.\n',
    );
  });

  it('lists every wrong setting', async () => {
    const wrong = { PORT: 'eighty', LOG_LEVEL: 'loud' };
    const { code, text } = await ended(startApp('standalone', ['--data', folder()], wrong));
    expect(code).toBe(1);
    expect(text).toMatch(/PORT must be an integer number, but it is "eighty"/);
    expect(text).toMatch(/LOG_LEVEL must be one of .*, but it is "loud"/);
  });

  it('lists the options', async () => {
    const { code, text } = await ended(startApp('standalone', ['--prot', '1']));
    expect(code).toBe(1);
    expect(text).toContain("Unknown option '--prot'");
    expect(text).toContain('--port, --host and --data');
  });

  it('does not overwrite a file where the folder should be', async () => {
    const data = folder();
    mkdirSync(data, { mode: 0o700 });
    chmodSync(data, 0o711);
    const file = join(data, 'file');
    await admin({ KEY_FILE: file }, 'key');
    const { code, text } = await ended(startApp('standalone', ['--data', join(file, 'data')]));
    expect(code).toBe(1);
    expect(text).toContain('the data folder cannot be written to');
  });

  it.each(['gateway', 'management', 'connector'] as const)(
    'of the %s names the setting that is missing',
    async (app) => {
      const { code, text } = await ended(startApp(app));
      expect(code).toBe(1);
      expect(text).toContain('NATS_URL is missing. The NATS server of the bus, such as');
    },
  );
});

describe('a distributed process', () => {
  it('waits for its bus, says so, is alive and not ready meanwhile, and starts when it is there', async () => {
    const nats = await startNats();
    cleanups.push(() => nats.stop());
    await nats.stop();
    const keyFile = join(newFolder(), 'key');
    await createKeyFile(keyFile);
    const gateway = startApp('gateway', [], {
      NATS_URL: nats.url,
      KEY_FILE: keyFile,
      PORT: '0',
      OBSERVE_PORT: '0',
    });
    cleanups.push(() => gateway.stop('SIGKILL'));
    await gateway.says(/"message":"waiting for NATS at 127\.0\.0\.1:\d+"/);
    await nats.start();
    const [, observe = ''] = await gateway.says(/"message":"ready","observe":"([^"]+)"/);
    // It is on the bus; what it needs next is the management service, which does not run here.
    const ready = (await (await fetch(`${observe}/health/ready`)).json()) as {
      checks: Record<string, string>;
    };
    expect(ready.checks).toMatchObject({
      bus: 'ok',
      management: 'the management service is not running',
    });
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  });

  it('says what is wrong with its database', async () => {
    const [database, nats] = await Promise.all([createTestDatabase(), startNats()]);
    cleanups.push(
      () => database.drop(),
      () => nats.stop(),
    );
    const env = {
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      KEY_FILE: join(newFolder(), 'key'),
      OBSERVE_PORT: '0',
    };
    await admin(env, 'key');
    const unprepared = await ended(startApp('management', [], env));
    expect(unprepared.code).toBe(1);
    expect(unprepared.text).toMatch(
      new RegExp(
        `/${database.name}: (?:its tables are not there|it was not prepared for this service)\\. Run npm run -s admin -- migrate`,
      ),
    );
    const url = new URL(database.url);
    url.password = 'guess';
    const wrong = await ended(startApp('connector', [], { ...env, DATABASE_URL: url.href }));
    expect(wrong.text).toContain(`/${database.name}: the password is wrong. Correct DATABASE_URL.`);
    expect(wrong.text).not.toContain('guess');
  });
});

describe('administrative commands', () => {
  it('make the first organization and token of a database, then further tokens of the same', async () => {
    const database = await createTestDatabase();
    cleanups.push(() => database.drop());
    const env = { DATABASE_URL: database.url, KEY_FILE: join(newFolder(), 'key') };
    expect(await admin(env, 'key')).toContain(env.KEY_FILE);
    expect(await admin(env, 'migrate')).toMatch(/^Ran /);
    expect(await admin(env, 'migrate')).toBe('The tables are up to date.\n');
    const tokens = [await admin(env, 'token'), await admin(env, 'token', '--ttl', '1h')];
    for (const token of tokens) expect(token).toMatch(/^Organization token: ofo_\S+\n$/);
    expect(tokens[0]).not.toBe(tokens[1]);
    await expect(admin(env, 'token', '--organization', 'nobody')).rejects.toThrow(
      'There is no organization "nobody". There are: root.',
    );
    await expect(admin(env, 'token', '--ttl', 'soon')).rejects.toThrow(
      '/token_ttl: must be a duration',
    );
  });

  it('are listed when none is named', async () => {
    await expect(admin({})).rejects.toThrow(/ended with 2.*token .*migrate .*key /s);
  });
});
