import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Operation, operations } from '#contract';
import { type ClientFunctions, readFunctions } from '#provider-document';

/** Folder of the sources and not of the build: fixtures are not copied there, and the kit writes to the sources. */
export const providersFolder = new URL('../../../../libs/providers/', import.meta.url);

/** Documents such as a customer writes: nothing of the service knows them. */
const examplesFolder = new URL('../../docs/providers/examples/', providersFolder);

/** Functions of vendors' `client.ts` from the build, by folder. */
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

  /** Path for messages: `libs/providers/jira/provider.yaml`. */
  shown(file: string): string {
    return `${this.shownParent}/${this.name}/${file}`;
  }

  /** The folder in a command of the kit: its name, or its path where it is not one of libs/providers. */
  get argument(): string {
    return this.shownParent === 'libs/providers' ? this.name : `${this.shownParent}/${this.name}`;
  }

  /**
   * True if the vendor's system is simulated with the vendor's description; only a clone of the repository contains
   * simulators.
   */
  get simulator(): URL {
    return new URL(`../../../test/simulators/${this.name}/`, this.url);
  }

  /**
   * False for a vendor with a fake, or with a receiver that verifies requests: specs over that prove its document, and recordings are
   * optional.
   */
  get needsRecordings(): boolean {
    return !this.has('fake.yaml') && !this.has('receiver.fixture.ts');
  }

  /** True for a made-up vendor, which has no system to prove its document against. */
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

  /** Loads the exports of `client.ts`. */
  get functions(): ClientFunctions {
    return functions.get(this.name) ?? {};
  }

  get path(): string {
    return fileURLToPath(this.url);
  }
}

/** Lists every folder with a provider document. */
export function providerFolders(parent: URL = providersFolder): ProviderFolder[] {
  return foldersWith('provider.yaml', parent);
}

/** Lists every folder with a fake. */
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

/** Lists the operations of the domain that a provider's id begins with. */
export function domainOperations(provider: string): Operation[] {
  const domain = domainOf(provider);
  return [...operations.values()].filter(
    ({ side, group }) => side === 'connector' && group === domain,
  );
}

export function domainOf(provider: string): string {
  return provider.split('_')[0] ?? '';
}
