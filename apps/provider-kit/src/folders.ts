import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Operation, operations } from '#contract';
import { type ClientFunctions, readFunctions } from '#provider-document';

/** The sources, not what the build copied: fixtures are not copied, and what is scaffolded or recorded belongs there. */
export const providersFolder = new URL('../../../../libs/providers/', import.meta.url);

/** The functions of vendors' `client.ts`, as the build has them, by their folders. */
const built = new URL('../../../libs/providers/', import.meta.url);
const functions = new Map<string, ClientFunctions>();
for (const { name } of readdirSync(built, { withFileTypes: true }))
  functions.set(name, await readFunctions(new URL(`${name}/`, built)));

/** A folder of libs/providers. */
export class ProviderFolder {
  readonly url: URL;

  constructor(
    readonly name: string,
    parent: URL = providersFolder,
  ) {
    this.url = new URL(`${name}/`, parent);
  }

  /** For people: `libs/providers/jira/provider.yaml`. */
  shown(file: string): string {
    return `libs/providers/${this.name}/${file}`;
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

function foldersWith(file: string, parent: URL): ProviderFolder[] {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => new ProviderFolder(name, parent))
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
