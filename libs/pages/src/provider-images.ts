import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ConfigurationError } from '#config';

const variable = 'PROVIDER_IMAGES_FOLDER';
/** Each page names all of them. */
const maxFiles = 500;
/** They stay in memory. */
const maxFileBytes = 100_000;
const nameForm = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** Tells whether a file is what its ending says: browsers would show nothing, and nobody would learn why. */
const formats: Readonly<Record<string, (content: Buffer) => boolean>> = {
  // Without the namespace browsers draw it in a page, and not as an image.
  '.svg': (content) =>
    ['<svg', 'http://www.w3.org/2000/svg'].every((text) => content.includes(text)),
  '.png': (content) => content.toString('latin1', 0, 8) === '\x89PNG\r\n\x1A\n',
  '.webp': (content) => /^RIFF[^]{4}WEBP/.test(content.toString('latin1', 0, 12)),
};

/** Images of the operator for providers, such as `github.svg` for all of GitHub, which take the place of the letters of their names. */
export class ProviderImages {
  private constructor(
    /** Contents by the names of their files. */
    readonly files: ReadonlyMap<string, Buffer>,
  ) {}

  /**
   * Reads all images of a folder. Names that begin with a dot are passed over: Kubernetes and desktops write such files beside others.
   * @param folder no images are read if it is empty
   * @throws ConfigurationError that lists every fault
   */
  static read(folder: string): ProviderImages {
    const files = new Map<string, Buffer>();
    const problems: string[] = [];
    const names = folder === '' ? [] : namesIn(folder);
    if (names.length > maxFiles)
      problems.push(
        `${folder} has ${names.length} files: remove some, as at most ${maxFiles} are read.`,
      );
    for (const name of names.slice(0, maxFiles)) {
      const image = readImage(folder, name);
      const other = [...files.keys()].find((one) => idOf(one) === idOf(name));
      if (typeof image === 'string') problems.push(`${join(folder, name)} ${image}.`);
      else if (other !== undefined)
        problems.push(
          `${join(folder, name)} and ${other} are of one provider: remove one of them.`,
        );
      else files.set(name, image);
    }
    if (problems.length > 0)
      throw new ConfigurationError(problems.map((problem) => `${variable}: ${problem}`));
    return new ProviderImages(files);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch (error) {
    throw new ConfigurationError([
      `${variable}: ${folder} cannot be read (${codeOf(error)}). Name a folder that this process may read, or remove the setting.`,
    ]);
  }
}

/** Reads an image. @returns its fault, if it is not a valid one */
function readImage(folder: string, name: string): Buffer | string {
  const ending = extname(name);
  const isFormat = formats[ending];
  if (isFormat === undefined)
    return `must end with ${Object.keys(formats).join(', ')}: save it in one of these formats, or remove it`;
  if (!nameForm.test(idOf(name)))
    return `must have the id of a provider as its name, such as ticketing_github${ending}, or the id without the domain, such as github${ending}: rename it`;
  try {
    const stats = statSync(join(folder, name));
    if (!stats.isFile()) return 'must be a file: remove it';
    if (stats.size > maxFileBytes)
      return `has ${stats.size} bytes, allowed are ${maxFileBytes}: save a smaller one`;
    const content = readFileSync(join(folder, name));
    if (isFormat(content)) return content;
  } catch (error) {
    return `cannot be read (${codeOf(error)}): let this process read it, or remove it`;
  }
  return ending === '.svg'
    ? 'is not a valid SVG file: save it as UTF-8, not compressed, with xmlns="http://www.w3.org/2000/svg"'
    : `is not a valid ${ending.slice(1).toUpperCase()} file: save it in this format, or name it by the format that it has`;
}

function idOf(name: string): string {
  return name.slice(0, -extname(name).length);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
