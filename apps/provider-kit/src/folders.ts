import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Operation, operations } from '#contract';
import { type ClientFunctions, readFunctions } from '#provider-document';

/** The sources, not what the build copied: fixtures are not copied, and what is scaffolded or recorded belongs there. */
export const providersFolder = new URL('../../../../libs/providers/', import.meta.url);

/** Documents such as a customer writes: nothing of the service knows them. */
const examplesFolder = new URL('../../docs/providers/examples/', providersFolder);

/** The functions of vendors' `client.ts`, as the build has them, by their folders. */
const built = new URL('../../../libs/providers/', import.meta.url);
const functions = new Map<string, ClientFunctions>();
for (const { name } of readdirSync(built, { withFileTypes: true }))
  functions.set(name, await readFunctions(new URL(`${name}/`, built)));

/** A folder of a provider document, of libs/providers unless it has another parent. */
export class ProviderFolder {
  readonly url: URL;

  constructor(
    readonly name: string,
    parent: URL = providersFolder,
    private readonly shownParent = 'libs/providers',
  ) {
    this.url = new URL(`${name}/`, parent);
  }

  /** For people: `libs/providers/jira/provider.yaml`. */
  shown(file: string): string {
    return `${this.shownParent}/${this.name}/${file}`;
  }

  /** The folder in a command of the kit: its name, or its path where it is not one of libs/providers. */
  get argument(): string {
    return this.shownParent === 'libs/providers' ? this.name : `${this.shownParent}/${this.name}`;
  }

  /** The vendor's system on loopback, with the vendor's description; only a clone of the repository has it. */
  get simulator(): URL {
    return new URL(`../../../test/simulators/${this.name}/`, this.url);
  }

  /**
   * False for a vendor with a fake, or with a receiver that verifies what it gets: its document is proven by specs over that, and what is
   * recorded comes on top.
   */
  get needsRecordings(): boolean {
    return !this.has('fake.yaml') && !this.has('receiver.fixture.ts');
  }

  /** True for a vendor that Onefold made up: there is no system that its document could be proven against. */
  get isMadeUp(): boolean {
    return this.name.startsWith('mock-');
  }

  has(file: string): boolean {
    return existsSync(new URL(file, this.url));
  }

  read(file: string): string {
    return readFileSync(new URL(file, this.url), 'utf8');
  }

  list(folder: string): string[] {
    return this.has(folder) ? readdirSync(new URL(`${folder}/`, this.url)).sort() : [];
  }

  /** The exports of `client.ts`. */
  get functions(): ClientFunctions {
    return functions.get(this.name) ?? {};
  }

  get path(): string {
    return fileURLToPath(this.url);
  }
}

/** Every folder that has a provider document. */
export function providerFolders(parent: URL = providersFolder): ProviderFolder[] {
  return foldersWith('provider.yaml', parent);
}

/** Every folder that has a fake. */
export function fakeFolders(parent: URL = providersFolder): ProviderFolder[] {
  return foldersWith('fake.yaml', parent);
}

/** The documents of docs/providers/examples. */
export function exampleFolders(): ProviderFolder[] {
  return foldersWith('provider.yaml', examplesFolder, 'docs/providers/examples');
}

/** The folder at a path, absolute or from the working directory, such as that of a customer's own document. */
export function folderAt(path: string): ProviderFolder {
  const parent = dirname(path);
  return new ProviderFolder(basename(path), pathToFileURL(`${resolve(parent)}/`), parent);
}

function foldersWith(file: string, parent: URL, shownParent?: string): ProviderFolder[] {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => new ProviderFolder(name, parent, shownParent))
    .filter((folder) => folder.has(file))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** The operations of the domain that a provider's id begins with. */
export function domainOperations(provider: string): Operation[] {
  const domain = domainOf(provider);
  return [...operations.values()].filter(
    ({ side, group }) => side === 'connector' && group === domain,
  );
}

export function domainOf(provider: string): string {
  return provider.split('_')[0] ?? '';
}
