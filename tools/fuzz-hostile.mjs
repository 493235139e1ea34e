// The hostile half of npm run fuzz -- mapping: see test/mapping-hostile.
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
 * Measures all, in a child that is restarted behind the input that ended it. What seems bad is measured again at the end, each in a
 * process of its own.
 * @returns whether every input paid for its cost
 */
export async function measureHostile() {
  const { values } = parseArgs({
    options: {
      hostile: { type: 'boolean' },
      factor: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      dry: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  let isGood = true;
  for (const what of kindsOf(values)) {
    const { count, bad, time, held, outcomes } = await measureKind(what, values);
    if (count === 0) throw new Error(`there is no method or function ${values.only}`);
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

function kindsOf({ dry, only }) {
  if (dry) return ['dry'];
  return only === '' ? ['templates', 'loads'] : ['loads'];
}

/** Measures all of a kind, then the bad ones again. @returns how many there are, how many stay bad, and what they took */
async function measureKind(what, { factor, only }) {
  const totals = { count: 0, bad: 0, time: 0, held: 0, outcomes: {} };
  const suspects = [];
  const take = (line) => {
    if (line.name === 'loads') totals.count = line.count;
    else if (line.isBad) suspects.push(line);
    else add(line, totals);
  };
  for (let first = 0; first !== undefined;)
    first = await measureFrom([what, first, factor, only], take);
  for (const { index, name } of suspects) {
    const again = [];
    await measureFrom([what, index, factor, only, 'again'], (line) => again.push(line));
    // A load that is good is told by no line of its own.
    const verdict = again.find((line) => line.name !== 'loads') ?? { isBad: false };
    add(verdict, totals);
    if (verdict.isBad) console.log(describe(verdict));
    else console.log(`${name}: seemed to cost too much, and did not when measured alone`);
  }
  if (what === 'templates')
    totals.count = Object.values(totals.outcomes).reduce((sum, number) => sum + number, 0);
  return totals;
}

/** Runs the child. @returns the place to continue at if an input ended it; undefined at the end */
function measureFrom([what, first, factor, ...more], take) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...childFlags, program, what, String(first), factor, ...more],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let begun;
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
      else take(line);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(undefined);
      // Such as a build that is not there: the next child would end likewise.
      if (begun === undefined) return reject(new Error(`${program} ended before it began`));
      take({ index: begun.index, name: begun.begins, isBad: true, outcome: 'ended the process' });
      resolve(begun.index + 1);
    });
  });
}

function add({ isBad, outcome, time = 0, held = 0 }, totals) {
  if (outcome !== undefined) totals.outcomes[outcome] = (totals.outcomes[outcome] ?? 0) + 1;
  totals.time = Math.max(totals.time, time);
  totals.held = Math.max(totals.held, held);
  if (isBad) totals.bad += 1;
}

function describe({ name, outcome, time = 0, held = 0, steps = 0, bytes = 0, message = '' }) {
  return `${name}: ${outcome}, ${Math.round(time)} ms, ${steps} steps, holds ${Math.round(held / 1e6)} MB, ${bytes} bytes paid. ${message}`;
}
