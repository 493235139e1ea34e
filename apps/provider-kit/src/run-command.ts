import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { datasets } from '#fakes';
import { checkFolder } from './check.js';
import { warnOfLostFields } from './lost-fields.js';
import { conformance } from './conformance.js';
import { type FakeCommand, FakeRefused, runFake } from './fake.js';
import { readsWithout } from './fake-checks.js';
import { describeEvidence } from './evidence.js';
import {
  exampleFolders,
  fakeFolders,
  folderAt,
  isCheckout,
  kitCommand,
  type ProviderFolder,
  providerFolders,
} from './folders.js';
import { liveOf, startLiveFake } from './live.js';
import { RecordFailed } from './plan.js';
import { record } from './record.js';
import { authKinds, domains, scaffold, ScaffoldRefused } from './scaffold/scaffold.js';
import { ScrubRefused } from './scrubber.js';
import { showOperation } from './show.js';
import { showProvider } from './show-provider.js';
import { translationFaults, warnOfMissingTranslations } from './translation-faults.js';

const place = isCheckout ? 'libs/providers/NAME' : 'NAME';
const usage = `${kitCommand} <command>

NAME is the name of a provider's folder. check, test and record also take the path of a folder or document: check my.yaml.

  new NAME      a folder ${place} with everything in its place
        --domain DOMAIN   ticketing when absent; one of ${domains().join(', ')}
        --auth KIND       how the vendor authenticates requests: ${authKinds().join(', ')}; the first when absent
  check [NAME]  says what is wrong with a provider's document and mappings${isCheckout ? ' and README' : ''}; of all of them without NAME
  test [NAME]   replays the fixtures through the engine and reads the fake, and asks of both what is asked of every provider
        --all             changes every value of every answer of the fake, and compares every field of its lists, not only some
  record NAME   calls what fixtures/record.yaml says, and writes both sides of it to fixtures/, without secrets
        --config FILE     where to: a YAML or JSON file of your own with configuration (a provider_config), and perhaps
                          forbidden (the secrets of somebody who may do less), lacking (such secrets, by what they lack of
                          the document's verify: needs) and scrub (texts and what replaces them)
        --fake            or the provider's fake
        --only verify     the verification alone
  show OPERATION  says what the document of a provider has at an operation: ticketing_create_ticket
  show PROVIDER   says how the contract configures a provider: ticketing_zendesk
  fake NAME     runs the fake of a provider (${place}/fake.yaml) until it is stopped, and prints its credentials
        --port PORT       4020 when absent, 0 for any
        --dataset NAME    BASIC, the made-up company; EMPTY; or ODD, the company with what is unusual at customers
        --scale N         how many times larger than the company
`;

/** Error in the arguments of the command. */
class Refused extends Error {}
/** Error in the command itself, after which all commands are listed. */
class Lost extends Refused {}

/** Runs a command, writes what it says, and sets the exit code of the process. */
export async function runCommand(args: string[]): Promise<void> {
  try {
    process.exitCode = await run(args);
  } catch (error) {
    if (!isOfTheCaller(error)) throw error;
    const failed = error instanceof RecordFailed || error instanceof ScrubRefused;
    const isLost = error instanceof Lost || 'code' in error;
    process.stderr.write(isLost ? `${error.message}\n\n${usage}` : `${error.message}\n`);
    process.exitCode = failed ? 1 : 2;
  }
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      domain: { type: 'string', default: 'ticketing' },
      auth: { type: 'string', default: authKinds()[0] ?? '' },
      config: { type: 'string' },
      fake: { type: 'boolean', default: false },
      only: { type: 'string' },
      all: { type: 'boolean', default: false },
      port: { type: 'string', default: '4020' },
      dataset: { type: 'string', default: 'BASIC' },
      scale: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [command = values.help ? 'help' : undefined, name] = positionals;
  switch (command) {
    case 'help':
      say(usage);
      return 0;
    case 'new': {
      if (name === undefined) throw new Refused('new needs a NAME, such as new acme');
      for (const file of scaffold(name, values.domain, { auth: values.auth })) say(file);
      say(next(name, values.domain));
      return 0;
    }
    case 'check': {
      const folders = named(name);
      const faults = folders.flatMap(faultsOf);
      const warnings = folders.flatMap((folder) => [
        ...warnOfLostFields(folder),
        ...warnOfMissingTranslations(folder),
      ]);
      for (const text of [...warnings, ...faults]) process.stderr.write(`${text}\n\n`);
      const shown = folders
        .map((folder) => folder.shown(folder.isBuiltIn ? '' : folder.document))
        .join(', ');
      say(faults.length === 0 ? `nothing is wrong with ${shown}` : `${faults.length} faults`);
      return faults.length === 0 ? 0 : 1;
    }
    case 'test':
      return await tested(named(name), values.all);
    case 'record': {
      const [folder] = name === undefined ? [] : named(name);
      if (folder === undefined) throw new Refused('record needs a NAME, such as record acme');
      return await recorded(folder, values);
    }
    case 'show': {
      if (name === undefined)
        throw new Refused('show needs an operation, such as show ticketing_create_ticket');
      const found = showProvider(name) ?? showOperation(name);
      if (typeof found !== 'string') throw new Refused(found.unknown);
      say(found);
      return 0;
    }
    case 'fake':
      await runFake(fakeFolder(name), fakeCommand(values), say);
      return 0;
    default:
      throw new Lost(command === undefined ? 'a command is missing' : `unknown command ${command}`);
  }
}

/** Finds what is wrong with a folder. Translations are held against a document that compiles. */
function faultsOf(folder: ProviderFolder): string[] {
  const faults = checkFolder(folder);
  return faults.length > 0 ? faults : translationFaults(folder);
}

/** How much of a fake is checked where not everything is asked for. */
const defaultDepth = { maxPlaces: 8, maxFields: 8 };

async function tested(folders: readonly ProviderFolder[], all: boolean): Promise<number> {
  Logger.overrideLogger(false); // The checks print what the service would log.
  let failed = 0;
  for (const folder of folders) {
    const wrong = faultsOf(folder);
    for (const fault of wrong) process.stderr.write(`${fault}\n\n`);
    if (wrong.length > 0) failed += 1;
    // A document that does not compile cannot be replayed.
    const checks = wrong.length > 0 ? [] : conformance(folder, all ? undefined : defaultDepth);
    if (wrong.length === 0) say(`${folder.argument} is tested with: ${describeEvidence(folder)}`);
    for (const check of checks) {
      const faults = await check.run();
      if (faults.length > 0) failed += 1;
      const without = faults.length === 0 ? await check.without?.() : undefined;
      const sign = faults.length > 0 ? '✗' : without === undefined ? '✓' : '–';
      say(
        `${sign} ${folder.argument}: ${check.name}${without === undefined ? '' : `: none, because ${without}`}`,
      );
      for (const fault of faults) process.stderr.write(`    ${fault}\n`);
    }
    const unread = checks.length === 0 ? [] : await readsWithout(folder);
    if (unread.length > 0)
      say(
        `– ${folder.argument}: the fake has no answer to ${unread.join(', ')}: not checked over it`,
      );
  }
  say(failed === 0 ? 'all well' : `${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function recorded(
  folder: ProviderFolder,
  { config, fake, only }: { config?: string | undefined; fake: boolean; only?: string | undefined },
): Promise<number> {
  if (only !== undefined && only !== 'verify') throw new Refused('there is only --only verify');
  if ((config === undefined) !== fake)
    throw new Refused(
      `record needs one of --config FILE (the live system) and --fake (${folder.shown('fake.yaml')})`,
    );
  const { live, stop } =
    config === undefined
      ? await startLiveFake(folder)
      : { live: liveOf(folder, config), stop: () => Promise.resolve() };
  try {
    const problems = await record(folder, live, say, only ?? 'all');
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    say(
      problems.length === 0
        ? `all is recorded; ${kitCommand} test ${folder.argument} replays it`
        : `${problems.length} could not be recorded`,
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

function named(name: string | undefined): ProviderFolder[] {
  const all = providerFolders();
  if (name === undefined) {
    const found = [...all, ...exampleFolders()];
    if (found.length > 0) return found;
    throw new Refused('no folder here has a provider.yaml: name a document, such as check my.yaml');
  }
  const found = all.find((folder) => folder.name === name) ?? folderAt(name);
  if (found !== undefined) return [found];
  const names = all.map((folder) => folder.name).join(', ');
  throw new Refused(
    `there is neither a file ${name} nor ${place.replace('NAME', name)}/provider.yaml${names === '' ? '' : `; there are ${names}`}`,
  );
}

function fakeFolder(name: string | undefined): ProviderFolder {
  if (name === undefined) throw new Refused('fake needs a NAME, such as fake tenable');
  const all = fakeFolders();
  const found = all.find((folder) => folder.name === name);
  if (found !== undefined) return found;
  const names = all.map((folder) => folder.name).join(', ');
  throw new Refused(`${place.replace('NAME', name)}/fake.yaml does not exist; there are ${names}`);
}

function fakeCommand({
  port,
  dataset,
  scale,
}: Record<'port' | 'dataset' | 'scale', string>): FakeCommand {
  const chosen = datasets.find((one) => one === dataset.toUpperCase());
  if (chosen === undefined)
    throw new Refused(`there is no dataset "${dataset}": --dataset must be ${datasets.join(', ')}`);
  const wholeNumber = (name: string, text: string) => {
    if (!/^\d{1,5}$/.test(text)) throw new Refused(`--${name} must be a whole number`);
    return Number(text);
  };
  return { port: wholeNumber('port', port), dataset: chosen, scale: wholeNumber('scale', scale) };
}

/** Instructions for the person who has scaffolded a folder. */
function next(name: string, domain: string): string {
  const where = isCheckout ? name : `./${name}`;
  const last = isCheckout
    ? `
4. README.md: one paragraph of your own. Then
   npm run -s mapping -- fmt libs/providers/${name}/mappings/*.yaml && npm run figures -- ${name} && node tools/provider-coverage.mjs
   write what the repository says of all providers.`
    : '';
  return `
It passes as it is:
  ${kitCommand} check ${where}
  ${kitCommand} test ${where}
Now make it true, one operation at a time:

1. fake.yaml: how the vendor's API answers, from its documentation. docs/fakes.md explains it; ${kitCommand} fake ${name} runs it.
2. provider.yaml and mappings/: how it is called, and what its records are in ours. docs/providers/documents.md has every key, and
   ${kitCommand} show OPERATION says what an operation takes and returns, show ${domain}_${name.replaceAll('-', '_')} how the contract configures it.
3. ${isCheckout ? 'mocks.yaml: a step for each operation. ' : ''}check says what is wrong, test runs every operation over the fake and changes each value of its answers.${last}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function isOfTheCaller(error: unknown): error is Error {
  const { code = '' } = error as { code?: string };
  return (
    error instanceof Refused ||
    error instanceof FakeRefused ||
    error instanceof ScaffoldRefused ||
    error instanceof RecordFailed ||
    error instanceof ScrubRefused ||
    code.startsWith('ERR_PARSE_ARGS')
  );
}
