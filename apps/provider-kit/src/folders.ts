import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Operation, operations } from '#contract';
import { type ClientFunctions, domainOf, readFunctions } from '#provider-document';

/** Folder with the `dist` that this file is in, as it was compiled or bundled in `dist/run`. */
export const root = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 1));
/** Folder of the sources and not of the build: fixtures are not copied there, and the kit writes to the sources. */
const sources = new URL('libs/providers/', root);
/** False in the package for customers, whose providers are in the folder in which the kit was started. */
export const isCheckout = existsSync(sources);
export const providersFolder = isCheckout ? sources : pathToFileURL(`${process.cwd()}/`);
/** The command that starts the kit, for messages. */
export const kitCommand = isCheckout ? 'npm run -s provider --' : 'npx onefold-provider-kit';

/** Documents such as a customer writes: nothing of the service knows them. */
const examplesFolder = new URL('../../docs/providers/examples/', sources);

/** Functions of vendors' `client.ts` from the build, by folder. */
const built = new URL('../../../libs/providers/', import.meta.url);
const functions = new Map<string, ClientFunctions>();
if (isCheckout)
  for (const { name } of readdirSync(built, { withFileTypes: true }))
    functions.set(name, await readFunctions(new URL(`${name}/`, built)));

const documentName = 'provider.yaml';

/** A folder of a provider document: of libs/providers, or a customer's. */
export class ProviderFolder {
  readonly url: URL;
  /** The file with the provider document. */
  readonly document: string;
  /** False for a customer's provider, which needs only a document: no README, no walk, no statement of its proof. */
  readonly isBuiltIn: boolean;

  constructor(
    readonly name: string,
    parent: URL = providersFolder,
    { document = documentName, isBuiltIn = isCheckout } = {},
  ) {
    this.url = new URL(`${name}/`, parent);
    this.document = document;
    this.isBuiltIn = isBuiltIn;
  }

  /** Path for messages: `libs/providers/jira/provider.yaml`, or from the working directory for a customer's file below it. */
  shown(file: string): string {
    return this.isBuiltIn
      ? `libs/providers/${this.name}/${file}`
      : fromHere(fileURLToPath(new URL(file, this.url)));
  }

  /** The provider in a command of the kit: the name of a folder of libs/providers, or the path of a folder or document. */
  get argument(): string {
    if (this.isBuiltIn) return this.name;
    return this.document === documentName
      ? fromHere(resolve(this.path))
      : this.shown(this.document);
  }

  readDocument(): string {
    return this.read(this.document);
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
    return (this.isBuiltIn ? functions.get(this.name) : undefined) ?? {};
  }

  get path(): string {
    return fileURLToPath(this.url);
  }
}

/** Lists every folder with a provider document. */
export function providerFolders(parent: URL = providersFolder): ProviderFolder[] {
  return foldersWith(documentName, parent);
}

/** Lists every folder with a fake. */
export function fakeFolders(parent: URL = providersFolder): ProviderFolder[] {
  return foldersWith('fake.yaml', parent);
}

/** Lists the folders of docs/providers/examples. */
export function exampleFolders(): ProviderFolder[] {
  return isCheckout ? foldersWith(documentName, examplesFolder, false) : [];
}

/** Finds the provider at a path of a folder or document. Mapping files and fixtures are beside the document. @returns undefined if there is none */
export function folderAt(path: string): ProviderFolder | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const file = resolve(path, found?.isDirectory() ? documentName : '');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const folder = dirname(file);
  const parent = pathToFileURL(`${dirname(folder)}/`);
  return new ProviderFolder(basename(folder), parent, {
    document: basename(file),
    isBuiltIn: false,
  });
}

function foldersWith(file: string, parent: URL, isBuiltIn = isCheckout): ProviderFolder[] {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => new ProviderFolder(name, parent, { isBuiltIn }))
    .filter((folder) => folder.has(file))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Returns a path relative to the working directory if it is below it. */
function fromHere(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

/** Lists the operations of the domain that a provider's id begins with. */
export function domainOperations(provider: string): Operation[] {
  const domain = domainOf(provider);
  return [...operations.values()].filter(
    ({ side, group }) => side === 'connector' && group === domain,
  );
}
