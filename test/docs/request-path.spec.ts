import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** A file that a request passes, and the interface through which it is called, if no file above imports it. */
interface Passed {
  file: string;
  via: string | undefined;
}

const [section = ''] =
  /^## The path of a request$[\s\S]*?(?=^## )/m.exec(read('docs/architecture.md')) ?? [];
const passed = section.split(/^ +\d+\. /m).flatMap((line): Passed[] => {
  const [, file] = /^`((?:apps|libs)\/[\w./-]+\.ts)`/.exec(line) ?? [];
  return file === undefined ? [] : [{ file, via: /via `(\w+)`/.exec(line)?.[1] }];
});

const roomOf = (file: string) => file.split('/').slice(0, 2).join('/');

/** Tells whether a file imports another: by its path in the same room, or the alias of its room and a name that it exports. */
function imports(from: string, to: string): boolean {
  const source = read(from);
  const name = basename(to, '.ts');
  if (roomOf(from) === roomOf(to))
    return new RegExp(`from '\\.{1,2}/(?:\\w+/)?${name}\\.js'`).test(source);
  const [, room = ''] = /^libs\/([\w-]+)\//.exec(to) ?? [];
  const [, exported] = /^export (?:abstract )?class (\w+)/m.exec(read(to)) ?? [];
  return source.includes(`from '#${room}'`) && exported !== undefined && source.includes(exported);
}

describe('the path of a request in docs/architecture.md', () => {
  it('goes from the gateway through the connector to the HTTP client, and back', () => {
    const rooms = passed.map(({ file }) => roomOf(file));
    expect(rooms.filter((room, index) => room !== rooms[index - 1])).toEqual([
      'apps/gateway',
      'libs/bus',
      'libs/connect',
      'libs/provider-http',
      'libs/egress',
      'libs/provider-http',
      'libs/connect',
      'libs/bus',
      'apps/gateway',
    ]);
  });

  it.each(passed.map((one, index) => ({ ...one, index })))(
    'passes $file, which exists and is called by a file above it',
    ({ file, via, index }) => {
      const above = passed.slice(0, index).map((one) => one.file);
      const source = read(file);
      if (index === 0) return;
      const callers =
        via === undefined
          ? above.filter((one) => imports(one, file))
          : above.filter((one) => source.includes(via) && read(one).includes(via));
      expect(callers).not.toEqual([]);
    },
  );
});
