import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { startOnTestDatabase, type Onefold } from './onefold.js';
import { type Running, startNode } from './processes.js';

const run = promisify(execFile);
const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
/** The pages with commands, each of which is run in a folder of its own. */
const pages = [
  'providers/tutorial.md',
  'mapping/chains.md',
  'meta-functions.md',
  'circuit-breaker.md',
  'providers/examples/parse/README.md',
  'demo-story.md',
];

interface Block {
  kind: string;
  file: string | undefined;
  text: string;
}

/** The fenced blocks of a page, in order. */
function blocks(page: string): Block[] {
  const text = readFileSync(join(docs, page), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, kind = '', file, body = '']) => ({ kind, file, text: body }),
  );
}

describe('the pages with commands, word by word', () => {
  let onefold: Onefold;
  let helpdesk: Running;
  let given: Record<string, string> = {};

  beforeAll(async () => {
    helpdesk = startNode([join(docs, 'providers/helpdesk.mjs'), '--port', '0']);
    const [, address = ''] = await helpdesk.says(/at (http:\S+)/);
    onefold = await startOnTestDatabase();
    const { authorization = '' } = onefold.api.headers;
    // The reader's own addresses and token.
    given = {
      HELPDESK: address,
      ONEFOLD: onefold.api.url,
      TOKEN: authorization.replace('Bearer ', ''),
      ...(await demonstration(onefold)),
    };
  });
  afterAll(async () => {
    await onefold.stop();
    await helpdesk.stop();
  });

  describe.each(pages)('%s', (page) => runPage(page, () => given));
});

function runPage(page: string, given: () => Record<string, string>): void {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-page-'));
  let script = 'set -e\n';
  // Commands name files of the documentation by their path from the root of the repository.
  symlinkSync(docs, join(folder, 'docs'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const steps = blocks(page).reduce<{ files: Block[]; commands: string; expected?: string }[]>(
    (all, block) => {
      const last = all.at(-1);
      if (block.kind === 'json' && last)
        return [...all.slice(0, -1), { ...last, expected: block.text }];
      if (block.kind === 'yaml') return [...all, { files: [block], commands: '' }];
      return [...all, { files: [], commands: block.text }];
    },
    [],
  );

  it.each(steps.map((step, index) => [index + 1, step] as const))(
    'step %i',
    async (_index, step) => {
      for (const { file = '', text } of step.files) writeFileSync(join(folder, file), text);
      if (step.commands === '') return;
      const commands = step.commands
        .replace(/^export (HELPDESK|ONEFOLD|TOKEN)=.*$/gm, '')
        .replace(/^eval "\$\(npm run -s admin -- demo --export\)"$/m, '');
      const execute = async (lines: string): Promise<unknown> => {
        const env = { PATH: process.env['PATH'] ?? '', ...given() };
        const { stdout } = await run('bash', ['-c', `${script}${lines}`], { cwd: folder, env });
        return stdout.trim().split('\n').map(parsed).at(-1);
      };
      let answer = await execute(commands);
      // Functions and exports, which a terminal keeps.
      script += kept(commands);
      if (step.expected === undefined) return;
      const wanted: unknown = JSON.parse(step.expected);
      const check = () => {
        if (typeof wanted === 'object') expect(answer).toMatchObject(wanted as object);
        else expect(answer).toBe(wanted);
      };
      const last = commands.trim().split('\n').at(-1) ?? '';
      if (!/^ticket\b/.test(last)) return check();
      // Connectors hear of a change soon after the answer to it, and nobody types the next command as fast.
      await eventually(async () => {
        try {
          check();
        } catch (error) {
          answer = await execute(last);
          throw error;
        }
      });
    },
  );
}

/** The variables that the administrative command exports: the tokens of the demonstration's integrations. */
async function demonstration({ admin, api }: Onefold): Promise<Record<string, string>> {
  const text = await admin('demo', '--export', '--url', api.url);
  return Object.fromEntries(
    [...text.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Returns the lines that define something; each response of a call is on one line. */
function kept(commands: string): string {
  const lines = commands.split('\n').filter((line) => /^(?:export |\w+\(\) )/.test(line));
  return lines.map((line) => `${line}\n`).join('');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
