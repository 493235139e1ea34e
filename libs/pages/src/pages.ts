import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { acceptsEncoding } from './accepts-encoding.js';
import { imagePolicy } from './policy-headers.js';
import type { ProviderImages } from './provider-images.js';

/** The response to a request for one path. */
export interface PageAnswer {
  status: 200 | 304;
  headers: Record<string, string>;
  body: Buffer;
}

interface PageFile {
  type: string;
  etag: string;
  isHashed: boolean;
  /** Headers in place of those that the other files have. */
  headers: Readonly<Record<string, string>>;
  /** Contents by content coding; `identity` is always there. */
  contents: Map<string, Buffer>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

interface Additions {
  /** Further files, such as those with a setting, as texts by name. */
  written?: Readonly<Record<string, string>>;
  /** Images that the page shows in place of the letters of providers. */
  images?: ProviderImages | undefined;
}

/** Best first. */
const codings = { br: '.br', gzip: '.gz' } as const;
/** A file whose name contains the hash of its content: `assets/main-CkT2x9_a.js`. */
const hashedName = /^assets\/.+-[\w-]{8}\.\w+$/;

/**
 * Serves the files of a folder from memory. Only paths of files that were there at the start are found, so no path of a request
 * reaches the file system. Compressed files beside a file (`x.js.br`, `x.js.gz`) are sent to clients that accept them.
 */
export class Pages {
  private constructor(
    private readonly files: ReadonlyMap<string, PageFile>,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /**
   * Reads a folder with an index.html.
   * @param headers sent with every answer
   * @throws Error if there is no index.html
   */
  static read(
    folder: string,
    headers: Readonly<Record<string, string>> = {},
    { written = {}, images }: Additions = {},
  ): Pages {
    const files = new Map<string, PageFile>();
    for (const name of namesIn(folder))
      if (extname(name) in types)
        files.set(name.split(sep).join('/'), pageFile(name, readFileSync(join(folder, name))));
    for (const name of namesIn(folder))
      for (const [coding, ending] of Object.entries(codings))
        if (name.endsWith(ending))
          files
            .get(name.slice(0, -ending.length).split(sep).join('/'))
            ?.contents.set(coding, readFileSync(join(folder, name)));
    for (const [name, text] of Object.entries(written))
      files.set(name, pageFile(name, Buffer.from(text)));
    const page = files.get('index.html')?.contents.get('identity');
    if (page === undefined)
      throw new Error(`there is no index.html in ${folder}. Run npm run build, which writes it.`);
    if (images !== undefined && images.files.size > 0) addImages(files, page.toString(), images);
    return new Pages(files, headers);
  }

  /**
   * Finds the answer for a path below the folder, without a slash at its beginning. Paths of screens (`integrations/int_1`) get
   * index.html, which shows them; names of files that do not exist get none.
   * @returns undefined for an unknown file
   */
  answer(path: string, headers: IncomingHttpHeaders): PageAnswer | undefined {
    const file =
      this.files.get(path) ?? (isScreen(path) ? this.files.get('index.html') : undefined);
    if (file === undefined) return undefined;
    const coding =
      Object.keys(codings).find(
        (one) => file.contents.has(one) && acceptsEncoding(headers['accept-encoding'], one),
      ) ?? 'identity';
    const common = {
      ...this.headers,
      ...file.headers,
      etag: file.etag,
      vary: 'accept-encoding',
      'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    if (known?.includes(file.etag)) return { status: 304, headers: common, body: Buffer.alloc(0) };
    const body = file.contents.get(coding) ?? Buffer.alloc(0);
    return {
      status: 200,
      headers: {
        ...common,
        'content-type': file.type,
        'content-length': String(body.length),
        ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
      },
      body,
    };
  }
}

function pageFile(
  name: string,
  content: Buffer,
  headers: Readonly<Record<string, string>> = {},
): PageFile {
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    etag: `"${hashOf(content)}"`,
    isHashed: hashedName.test(name),
    headers,
    contents: new Map([['identity', content]]),
  };
}

/**
 * Adds images to the files of a page, under names with a hash. The page itself lists them in an attribute, so that its script knows them without
 * a request: `data-images="github-CkT2x9_a.svg …"`.
 */
function addImages(files: Map<string, PageFile>, page: string, { files: images }: ProviderImages) {
  const names = [...images].map(([name, content]) => {
    const ending = extname(name);
    const hashed = `${name.slice(0, -ending.length)}-${hashOf(content).slice(0, 8)}${ending}`;
    files.set(`assets/${hashed}`, pageFile(`assets/${hashed}`, content, imagePolicy));
    return hashed;
  });
  const listed = Buffer.from(page.replace('<html ', `<html data-images="${names.join(' ')}" `));
  const file = pageFile('index.html', listed);
  file.contents.set('br', brotliCompressSync(listed)).set('gzip', gzipSync(listed));
  files.set('index.html', file);
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** Names of screens have no dot in their last part, those of files do. */
function isScreen(path: string): boolean {
  return !path.startsWith('assets/') && !(path.split('/').at(-1) ?? '').includes('.');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String);
  } catch (cause) {
    throw new Error(`cannot read the pages in ${folder}. Run npm run build, which writes them.`, {
      cause,
    });
  }
}
