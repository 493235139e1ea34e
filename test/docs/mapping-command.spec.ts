import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { operations, type OperationId, recordOutline } from '#contract';
import { sharedTemplate } from '#ocsf';
import { program } from '../../libs/mapping/src/command/program.js';

const page = readFileSync(
  new URL('../../../docs/mapping/command-line.md', import.meta.url),
  'utf8',
);
const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
  ([, language = '', name, text = '']) => ({ language, name, text }),
);
const files: Record<string, string> = Object.fromEntries(
  blocks.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text]])),
);

async function* given(lines: readonly string[]) {
  yield* lines;
}

/** Runs a command of the page; files that it writes are there for the next. @returns what it prints */
async function call(command: string): Promise<string> {
  const [, echo, words = ''] =
    /^(?:echo '(.*)' \| )?npm run -s mapping -- (.*)\n$/.exec(command) ?? [];
  const printed: string[] = [];
  await program(words.split(' '), {
    program: 'npm run -s mapping --',
    shared: sharedTemplate,
    outlineOf: (id) =>
      operations.has(id as OperationId) ? (recordOutline(id as OperationId) ?? null) : undefined,
    lines: given(echo === undefined ? [] : [echo]),
    read: (file) => files[file],
    write: (file, text) => void (files[file] = text),
    prompt: () => undefined,
    out: (line) => void printed.push(line),
    err: (line) => void printed.push(line),
  });
  return `${printed.join('\n')}\n`;
}

describe('the page on the mapping command', () => {
  it('prints what the commands print, one after the other', async () => {
    const commands = blocks.flatMap(({ language, text }, index) =>
      language === 'sh' ? [{ command: text, printed: blocks[index + 1]?.text }] : [],
    );
    expect(commands.length).toBeGreaterThan(5);
    for (const { command, printed } of commands)
      expect([command, await call(command)]).toEqual([command, printed]);
  });

  it('shows what fmt makes of a template', () => {
    const laidOut = blocks.find(({ language }) => language === 'coffee')?.text ?? '';
    const indented = laidOut.replaceAll(/^(?=.)/gm, '    ');
    expect(files['tickets.yaml']).toContain(indented);
  });
});
