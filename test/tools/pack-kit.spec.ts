import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Running, startNode } from '../e2e/processes.js';
import { installPacked, runProgram } from './run-program.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// "The kit works for customers: `npx`-able from the packed tarball."
describe('the package of the provider kit, in an empty folder', () => {
  let folder: string;
  let helpdesk: Running;
  let address = '';

  const npx = (...args: string[]) =>
    runProgram(folder, 'npx', ['--offline', '--no-install', 'onefold-provider-kit', ...args]);
  /** Runs the program that npx finds, without the second that npx takes. */
  const kit = (...args: string[]) =>
    runProgram(folder, join(folder, 'node_modules/.bin/onefold-provider-kit'), args);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onefold-kit-test-'));
    helpdesk = startNode([join(root, 'docs/providers/helpdesk.mjs'), '--port', '0']);
    [, address = ''] = await helpdesk.says(/at (http:\S+)/);
    const packed = await runProgram(root, process.execPath, [
      join(root, 'tools/pack-kit.mjs'),
      '--built',
      '--to',
      folder,
    ]);
    const tarball = packed.output.trim().split('\n').at(-1) ?? '';
    expect(tarball).toMatch(/onefold-provider-kit-.*\.tgz$/);
    expect(await installPacked(folder, [tarball])).toMatchObject({ code: 0 });
  }, 300_000);
  afterAll(async () => {
    await helpdesk.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The document of the tutorial, as it is at its end. */
  const document = () => {
    const text = readFileSync(join(root, 'docs/providers/tutorial.md'), 'utf8');
    const [last = ''] = [...text.matchAll(/^```yaml helpdesk.yaml\n(.*?)^```$/gms)]
      .map(([, body = '']) => body)
      .slice(-1);
    return last;
  };

  it('checks a document, and names a fault by line and column', async () => {
    writeFileSync(join(folder, 'my.yaml'), document());
    expect(await npx('check', 'my.yaml')).toMatchObject({
      code: 0,
      output: expect.stringContaining('nothing is wrong with my.yaml') as unknown,
    });
    writeFileSync(join(folder, 'wrong.yaml'), document().replace('rows:', 'rwos:'));
    const wrong = await kit('check', 'wrong.yaml');
    expect(wrong.code).toBe(1);
    expect(wrong.output).toMatch(/wrong\.yaml: line \d+, column 5: unknown key "rwos"/);
  });

  it('records it from the live service without secrets, and replays it without the service', async () => {
    const plan = `calls:
  - { operation: ticketing_query_tickets, query: { limit: 3 } }
  - { operation: ticketing_query_tickets, page_size: 10, query: { limit: 10 } }
  - { operation: ticketing_get_ticket, path: { ticketId: '1' } }
  - { operation: ticketing_create_ticket, as: made, body: { name: New, summary: New } }
  - operation: ticketing_patch_ticket
    path: { ticketId: $made.id }
    body: [{ op: replace, path: /summary, value: Newer }]
unknown_id: '999'
without:
  the helpdesk has no limit of calls: [refusals.429]
`;
    const config = `configuration: { type: ticketing_helpdesk, url: '${address}', credential: { type: token, secret: let-me-in } }
forbidden: { secret: look-only }
lacking: { write: { secret: look-only } }
`;
    mkdirSync(join(folder, 'fixtures'));
    writeFileSync(join(folder, 'fixtures/record.yaml'), plan);
    writeFileSync(join(folder, 'mine.yaml'), config);
    const recorded = await kit('record', 'my.yaml', '--config', 'mine.yaml');
    expect(recorded).toMatchObject({
      code: 0,
      output: expect.stringContaining('onefold-provider-kit test my.yaml replays it') as unknown,
    });
    const fixture = readFileSync(join(folder, 'fixtures/ticketing_query_tickets.yaml'), 'utf8');
    expect(fixture).toContain('Printer on fire');
    expect(fixture).not.toMatch(/let-me-in|127\.0\.0\.1/);
    await helpdesk.stop();
    const replayed = await kit('test', 'my.yaml');
    expect(replayed).toMatchObject({ code: 0 });
    expect(replayed.output).toContain('ticketing_patch_ticket.works returns the recorded response');
    // A record that the mapping spoils is found by the replay.
    writeFileSync(
      join(folder, 'my.yaml'),
      document().replace('root.status = this.state', 'root.status = 5'),
    );
    const spoiled = await kit('test', 'my.yaml');
    expect(spoiled.code).toBe(1);
    expect(spoiled.output).toContain('"status":502');
  });
});
