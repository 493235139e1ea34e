import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A package that few methods need: it is not installed with this one, and loaded when one of them is called first. */
export interface OptionalPackage<Exports = unknown> {
  name: string;
  /** The command that installs it. */
  install: string;
  isInstalled: () => boolean;
  /** @throws Error when it is not installed */
  load: () => Exports;
}

/**
 * Describes a package that is listed as an optional peer in package.json.
 * @param major the version that the code is written for
 * @param entry the file of the package that is loaded, such as `/parser`
 */
export function optionalPackage<Exports>(
  name: string,
  major: number,
  entry = '',
): OptionalPackage<Exports> {
  const install = `npm install ${name}@${major}`;
  let [isFound, loaded]: [boolean, Exports | undefined] = [false, undefined];
  const isInstalled = () => (isFound ||= canResolve(name + entry));
  const load = () => {
    if (!isInstalled())
      throw new Error(`the package ${name} is not installed. Install it: ${install}`);
    return require(name + entry) as Exports;
  };
  return { name, install, isInstalled, load: () => (loaded ??= load()) };
}

function canResolve(id: string): boolean {
  try {
    require.resolve(id);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}
