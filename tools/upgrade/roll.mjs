// Replaces the processes of an installation by those of another version, forth and back and in both orders, while it is called.
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from './load.mjs';

/** The order that docs/operations.md names: who serves an operation is upgraded before who asks for it. */
export const apps = ['connector', 'management', 'operations', 'gateway'];
/** As the manifests do: a gateway that gets no new calls waits for those that were on their way. */
const leaveMs = 5_000;

/**
 * The steps of the proof; after each the installation is called for a while. `previous` and `current` replace one process, or all of a list.
 * In the middle every gateway of one version has had connectors of the other, with either version of the rest.
 */
/** @type {{ text: string, migrates?: boolean, previous?: string[], current?: string[], beside?: string[], alone?: string[] }[]} */
const steps = [
  { text: 'the tables are migrated while the previous version runs', migrates: true },
  ...apps.map((app) => ({ text: `${app} is upgraded`, current: [app] })),
  ...apps.map((app) => ({ text: `${app} goes back, with the new tables`, previous: [app] })),
  ...apps
    .toReversed()
    .map((app) => ({ text: `${app} is upgraded, gateway first`, current: [app] })),
  { text: 'a second process of the previous version beside each', beside: apps },
  { text: 'the second processes end', alone: apps },
];

/**
 * Runs the steps under load. @param installation `start(app, version)` gives a process with its version, `stop()` and, of a gateway, `url`;
 * `migrate()` brings the tables to the current version
 * @returns the report of the load @throws Error if a process does not start
 */
export async function rollUnderLoad({ installation, token, minutes, say }) {
  const running = {};
  const gateways = [];
  for (const app of apps) running[app] = await start(app, 'previous');
  const load = await startLoad({ gateways, token: await token() });
  const holdMs = (minutes * 60_000) / (steps.length + 1);
  let reported = 0;
  const hold = async (text) => {
    await sleep(holdMs);
    const { counts, failed, failures } = load.report();
    const calls = Object.values(counts).reduce((sum, count) => sum + count, 0);
    say(`${text} (${describe()}): ${calls} calls so far, ${failed} failed`);
    if (failed > reported)
      for (const failure of failures.slice(-(failed - reported))) say(`  ${failure}`);
    reported = failed;
  };
  try {
    await hold('the previous version');
    for (const { text, migrates = false, beside = [], alone = [], ...replaced } of steps) {
      if (migrates) await installation.migrate();
      for (const version of ['previous', 'current'])
        for (const app of replaced[version] ?? []) await replace(app, version);
      for (const app of beside) running[`${app} beside`] = await start(app, 'previous');
      for (const app of alone) await end(`${app} beside`);
      await hold(text);
    }
  } finally {
    await load.stop();
    await Promise.all(Object.values(running).map((one) => one.stop()));
  }
  return load.report();

  async function start(app, version) {
    const one = await installation.start(app, version);
    if (one.url) gateways.push(one.url);
    return { ...one, version };
  }

  async function replace(app, version) {
    const before = running[app];
    running[app] = await start(app, version);
    await leave(before);
  }

  async function end(name) {
    const one = running[name];
    delete running[name];
    await leave(one);
  }

  async function leave({ url, stop }) {
    if (url) {
      gateways.splice(gateways.indexOf(url), 1);
      await sleep(leaveMs);
    }
    await stop();
  }

  function describe() {
    return Object.entries(running)
      .map(([name, { version }]) => `${name} ${version}`)
      .join(', ');
  }
}
