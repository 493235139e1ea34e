// An operator's bad day: kills, freezes, restarts and misconfigures the processes, NATS, PostgreSQL and a provider under load, and compares what callers
// and operators see with budgets. Ends with 1 where one is exceeded. It writes its table into docs/operations.md; rows of events that did not run stay.
//   npm run proof -- operate                        all events
//   npm run proof -- operate --only NATS            those whose name has the text
//   npm run proof -- operate --list                 their names and budgets
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';

installMissing();
buildIfChanged('test');
const { values } = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
});
const { badEvents } = await import(join(root, 'dist/test/proof/operate/events.js'));
const { rowOf, runBadDay, tableHead } = await import(
  join(root, 'dist/test/proof/operate/run-bad-day.js')
);
const events = badEvents.filter(({ name }) => name.includes(values.only ?? ''));
if (values.list) {
  for (const { name, budget } of events) console.log(name, JSON.stringify(budget));
  process.exit(0);
}
if (events.length === 0) {
  console.error(`proof-operate: no event has "${values.only}" in its name; --list shows them`);
  process.exit(2);
}
const about = `On ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, load ${Math.round(loadavg()[0])} before:`;
console.log(`${about}\n\n${tableHead}`);
const judged = await runBadDay(events, console.log);
await writeTable(judged);
const faults = judged.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
for (const fault of faults) console.error(`proof-operate: ${fault}`);
process.exit(faults.length > 0 ? 1 : 0);

/** Replaces the rows of the events that ran in the table between the marks of docs/operations.md. */
async function writeTable(judged) {
  const path = join(root, 'docs/operations.md');
  const [begin, end] = ['<!-- bad day -->', '<!-- end of bad day -->'];
  const text = readFileSync(path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`${path}: there is no ${begin} … ${end}`);
  const former = [...text.slice(from, to).matchAll(/^\| (.+?) +\|.*$/gm)];
  const rows = new Map(former.map(([row, name]) => [name, row]));
  for (const one of judged) rows.set(one.name, rowOf(one));
  const lines = badEvents.flatMap(({ name }) => rows.get(name) ?? []);
  // The heading is of the run of all events; rows of some of them do not change it.
  const isWhole = events.length === badEvents.length;
  const [heading = about] = isWhole ? [] : (/^On .+$/m.exec(text.slice(from, to)) ?? []);
  const table = [heading, '', tableHead, ...lines].join('\n');
  const next = `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
  writeFileSync(path, await format(next, { parser: 'markdown', ...(await resolveConfig(path)) }));
}
