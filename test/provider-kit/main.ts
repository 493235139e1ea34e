import { parseArgs } from 'node:util';
import { checkFolder } from './check.js';
import { conformance } from './conformance.js';
import { type ProviderFolder, providerFolders } from './folders.js';
import { liveOf, simulated } from './live.js';
import { RecordFailed } from './plan.js';
import { record } from './record.js';
import { scaffold, ScaffoldRefused } from './scaffold.js';
import { ScrubRefused } from './scrubber.js';

const usage = `npm run -s provider -- <command>

  new NAME      a folder libs/providers/NAME with everything in its place
        --domain DOMAIN   ticketing when absent
  check [NAME]  says what is wrong with a provider's document, mappings, README and walk; of all of them without NAME
  test [NAME]   replays the fixtures through the engine, and asks of them what is asked of every provider
  record NAME   calls what fixtures/record.yaml says, and writes both sides of it to fixtures/, without secrets
        --config FILE     where to: a YAML or JSON file of your own with configuration (a provider_config), and perhaps
                          forbidden (the secrets of somebody who may do less), lacking (such secrets, by what they lack of
                          the document's verify: needs) and scrub (texts and what replaces them)
        --simulator       or the provider's simulator
        --only verify     the verification alone
`;

class Refused extends Error {}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!isOfTheCaller(error)) throw error;
  const failed = error instanceof RecordFailed || error instanceof ScrubRefused;
  process.stderr.write(failed ? `${error.message}\n` : `${error.message}\n\n${usage}`);
  process.exitCode = failed ? 1 : 2;
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      domain: { type: 'string', default: 'ticketing' },
      config: { type: 'string' },
      simulator: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const [command, name] = positionals;
  switch (command) {
    case 'new': {
      if (name === undefined) throw new Refused('new needs a NAME');
      for (const file of await scaffold(name, values.domain)) say(file);
      return 0;
    }
    case 'check': {
      const faults = named(name).flatMap((folder) => checkFolder(folder));
      for (const fault of faults) process.stderr.write(`${fault}\n\n`);
      return faults.length === 0 ? 0 : 1;
    }
    case 'test':
      return await tested(named(name));
    case 'record': {
      const [folder] = name === undefined ? [] : named(name);
      if (folder === undefined) throw new Refused('record needs a NAME');
      return await recorded(folder, values);
    }
    default:
      throw new Refused(
        command === undefined ? 'a command is missing' : `there is no command ${command}`,
      );
  }
}

async function tested(folders: readonly ProviderFolder[]): Promise<number> {
  let failed = 0;
  for (const folder of folders) {
    const wrong = checkFolder(folder);
    for (const fault of wrong) process.stderr.write(`${fault}\n\n`);
    if (wrong.length > 0) failed += 1;
    // What does not compile cannot be replayed.
    const checks = wrong.length > 0 ? [] : conformance(folder);
    for (const check of checks) {
      const faults = await check.run();
      if (faults.length > 0) failed += 1;
      say(`${faults.length === 0 ? '✓' : '✗'} ${folder.name}: ${check.name}`);
      for (const fault of faults) process.stderr.write(`    ${fault}\n`);
    }
  }
  say(failed === 0 ? 'all well' : `${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function recorded(
  folder: ProviderFolder,
  {
    config,
    simulator,
    only,
  }: { config?: string | undefined; simulator: boolean; only?: string | undefined },
): Promise<number> {
  if (only !== undefined && only !== 'verify') throw new Refused('there is only --only verify');
  if ((config === undefined) !== simulator)
    throw new Refused('record needs --config or --simulator');
  const { live, stop } =
    config === undefined
      ? await simulated(folder)
      : { live: liveOf(config), stop: () => Promise.resolve() };
  try {
    const problems = await record(folder, live, say, only ?? 'all');
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

function named(name: string | undefined): ProviderFolder[] {
  const all = providerFolders();
  if (name === undefined) return all;
  const found = all.find((folder) => folder.name === name);
  if (found !== undefined) return [found];
  const names = all.map((folder) => folder.name).join(', ');
  throw new Refused(`there is no libs/providers/${name}/provider.yaml; there are ${names}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function isOfTheCaller(error: unknown): error is Error {
  const { code = '' } = error as { code?: string };
  return (
    error instanceof Refused ||
    error instanceof ScaffoldRefused ||
    error instanceof RecordFailed ||
    error instanceof ScrubRefused ||
    code.startsWith('ERR_PARSE_ARGS')
  );
}
