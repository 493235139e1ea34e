import { parseArgs } from 'node:util';
import { checkFolder } from './check.js';
import { type ProviderFolder, providerFolders } from './folders.js';
import { scaffold, ScaffoldRefused } from './scaffold.js';

const usage = `npm run -s provider -- <command>

  new NAME      a folder libs/providers/NAME with everything in its place
        --domain DOMAIN   ticketing when absent
  check [NAME]  says what is wrong with a provider's document, mappings, README and walk; of all of them without NAME
`;

class Refused extends Error {}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  if (!isOfTheCaller(error)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}

function run(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { domain: { type: 'string', default: 'ticketing' } },
  });
  const [command, name] = positionals;
  switch (command) {
    case 'new': {
      if (name === undefined) throw new Refused('new needs a NAME');
      for (const file of scaffold(name, values.domain)) say(file);
      return 0;
    }
    case 'check': {
      const faults = named(name).flatMap((folder) => checkFolder(folder));
      for (const fault of faults) process.stderr.write(`${fault}\n\n`);
      return faults.length === 0 ? 0 : 1;
    }
    default:
      throw new Refused(
        command === undefined ? 'a command is missing' : `there is no command ${command}`,
      );
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
    code.startsWith('ERR_PARSE_ARGS')
  );
}
