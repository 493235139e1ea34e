// The hostile half of npm run fuzz:mapping: see test/mapping-hostile.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { root } from './install.mjs';

const program = join(root, 'dist/test/mapping-hostile/main.js');
/** Memory of the child: its inputs, and the maximum of one run. */
const childFlags = ['--expose-gc', '--max-old-space-size=500'];
/** Time without output after which the child is ended, times the factor: a step cannot be interrupted from within. */
const maxSilenceMs = 120_000;

/**
 * Measures all, in a child that is restarted behind the input that ended it.
 * @returns whether every input paid for its cost
 */
export async function measureHostile() {
  const { values } = parseArgs({
    options: {
      hostile: { type: 'boolean' },
      factor: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
    },
    allowPositionals: true,
  });
  let isGood = true;
  for (const what of values.only === '' ? ['templates', 'loads'] : ['loads']) {
    const totals = { count: 0, bad: 0, time: 0, held: 0, outcomes: {} };
    for (let first = 0; first !== undefined;)
      first = await measureFrom(what, first, values, totals);
    const { count, bad, time, held, outcomes } = totals;
    if (count + bad === 0) throw new Error(`there is no method or function ${values.only}`);
    const ends = Object.entries(outcomes).map(([name, number]) => `${number} ${name}`);
    console.log(
      what === 'templates'
        ? `${count} runs of hostile templates: ${ends.join(', ')}; the longest took ${Math.round(time)} ms, the largest held ${Math.round(held / 1e6)} MB; ${bad} not bounded`
        : `${count} loads of methods: ${bad} cost more than they pay`,
    );
    isGood &&= bad === 0;
  }
  return isGood;
}

/** Runs the child. @returns the place to continue at if it ended early; undefined at the end */
function measureFrom(what, first, { factor, only }, totals) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [...childFlags, program, what, String(first), factor, only],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let begun = { index: first, begins: what };
    const silenceMs = maxSilenceMs * Math.max(1, Number(factor));
    let timer = setTimeout(end, silenceMs);
    function end() {
      child.kill('SIGKILL');
    }
    createInterface({ input: child.stdout }).on('line', (text) => {
      clearTimeout(timer);
      timer = setTimeout(end, silenceMs);
      const line = JSON.parse(text);
      if ('begins' in line) begun = line;
      else report(what, line, totals);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(undefined);
      report(
        what,
        { name: begun.begins, isBad: true, outcome: 'ended the process', message: '' },
        totals,
      );
      resolve(begun.index + 1);
    });
  });
}

function report(what, { name, isBad, count = 1, ...measured }, totals) {
  const { outcome, time = 0, held = 0, steps = 0, bytes = 0, message } = measured;
  totals.count += what === 'loads' && isBad ? 0 : count;
  if (outcome !== undefined) totals.outcomes[outcome] = (totals.outcomes[outcome] ?? 0) + 1;
  totals.time = Math.max(totals.time, time);
  totals.held = Math.max(totals.held, held);
  if (!isBad) return;
  totals.bad += 1;
  console.log(
    `${name}: ${outcome}, ${Math.round(time)} ms, ${steps} steps, holds ${Math.round(held / 1e6)} MB, ${bytes} bytes paid. ${message}`,
  );
}
