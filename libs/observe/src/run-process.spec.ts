import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';

const index = new URL('./index.js', import.meta.url).href;
const kill: (() => void)[] = [];
afterEach(() => kill.splice(0).forEach((one) => one()));

/** Runs the given start function in a process. Resolves `ready` at its first output and `end` with its output and exit code. */
function run(start: string, options = '{}') {
  const script = `const { runProcess, StartError } = await import(${JSON.stringify(index)});
    await runProcess(async () => { ${start} }, ${options});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  kill.push(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    child,
    ready: once(child.stdout, 'data'),
    end: once(child, 'close').then(([code]) => ({ code: code as number | null, text })),
  };
}

const running = `setInterval(() => {}, 1000); console.log('ready');`;

describe('a process', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'stops what it started on %s and exits with 0',
    async (signal) => {
      const { child, ready, end } = run(`${running} return async () => console.log('stopped');`);
      await ready;
      child.kill(signal);
      expect(await end).toEqual({ code: 0, text: 'ready\nstopped\n' });
    },
  );

  it('exits without waiting after a second signal', async () => {
    const { child, ready, end } = run(
      `${running} return () => new Promise(() => console.log('waiting'));`,
    );
    await ready;
    child.kill('SIGINT');
    await once(child.stdout, 'data');
    await sleep(600);
    child.kill('SIGINT');
    expect((await end).code).toBe(1);
  });

  it('treats the signals of one Ctrl-C, sent by the terminal and by npm, as one', async () => {
    const { child, ready, end } = run(
      `${running} return () => new Promise((stopped) => setTimeout(stopped, 100, console.log('stopping')));`,
    );
    await ready;
    child.kill('SIGINT');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await end).toEqual({ code: 0, text: 'ready\nstopping\n' });
  });

  it('exits with a message when stopping takes too long', async () => {
    const { child, ready, end } = run(
      `${running} return () => new Promise(() => {});`,
      '{ stopTimeoutMs: 50 }',
    );
    await ready;
    child.kill('SIGTERM');
    const { code, text } = await end;
    expect(code).toBe(1);
    expect(text).toContain('did not stop within 0.05 s');
  });

  it('prints only the message when a start fails with an error written for operators', async () => {
    const { end } = run(`throw new StartError('127.0.0.1:80: the port is taken.');`);
    expect(await end).toEqual({ code: 1, text: '127.0.0.1:80: the port is taken.\n' });
  });

  it('prints the stack of any other error', async () => {
    const { end } = run(`throw new TypeError('a bug');`);
    const { code, text } = await end;
    expect(code).toBe(1);
    expect(text).toMatch(/TypeError: a bug\n\s+at /);
  });
});

describe('the stack of an unexpected error', () => {
  it('names the lines of the sources', async () => {
    const { end } = run(`
      const { JsonLog } = ${'await import(' + JSON.stringify(index) + ')'};
      new JsonLog({ service: 'test', write: 1 }).log('calls a number');`);
    const { text } = await end;
    expect(text).toMatch(/JsonLog\.line \(\/.*\/libs\/observe\/src\/json-log\.ts:\d+:\d+\)/);
    expect(text).not.toContain('json-log.js');
  });

  it('is complete where code has no source map', async () => {
    const { end } = run(`throw new RangeError('of a script');`);
    const { text } = await end;
    expect(text).toMatch(/^RangeError: of a script\n {4}at file:\/\/.*\[eval1\]:2:\d+/);
  });
});
