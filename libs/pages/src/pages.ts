import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join, sep } from 'node:path';
import { acceptsEncoding } from './accepts-encoding.js';

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
  /** Contents by content coding; `identity` is always there. */
  contents: Map<string, Buffer>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
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
   * @param written further files, such as those with a setting, as texts by name
   * @throws Error if there is no index.html
   */
  static read(
    folder: string,
    headers: Readonly<Record<string, string>> = {},
    written: Readonly<Record<string, string>> = {},
  ): Pages {
    const files = new Map<string, PageFile>();
    const add = (name: string, content: Buffer) => {
      const type = types[extname(name)];
      if (type === undefined) return;
      files.set(name, {
        type,
        etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
        isHashed: hashedName.test(name),
        contents: new Map([['identity', content]]),
      });
    };
    for (const name of namesIn(folder))
      if (extname(name) in types) add(name.split(sep).join('/'), readFileSync(join(folder, name)));
    for (const [name, text] of Object.entries(written)) add(name, Buffer.from(text));
    for (const name of namesIn(folder))
      for (const [coding, ending] of Object.entries(codings))
        if (name.endsWith(ending))
          files
            .get(name.slice(0, -ending.length).split(sep).join('/'))
            ?.contents.set(coding, readFileSync(join(folder, name)));
    if (!files.has('index.html'))
      throw new Error(`there is no index.html in ${folder}. Run npm run build, which writes it.`);
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
