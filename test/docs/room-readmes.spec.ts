import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { unknownNames } from './names-in-text.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** A room with more source files than this needs a README. */
const maxFilesWithoutReadme = 10;
/** Folders of rooms: `libs/management` and `libs/domains` are none themselves. */
const folders = ['libs', 'libs/management', 'libs/domains', 'apps'];
const rooms = folders
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((room) => statSync(join(root, room)).isDirectory() && !folders.includes(room))
  .filter((room) => sources(room).length > maxFilesWithoutReadme);

/** The sources of a room, in `src` or, as those of vendors, beside it. */
function sources(room: string): string[] {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('src/generated/'),
  );
}

describe('a room with more than ten files', () => {
  it.each(rooms)('%s has a README', (room) => {
    expect(existsSync(join(root, room, 'README.md'))).toBe(true);
  });
});

it('the rooms include those whose sources are not in src', () => {
  expect(rooms).toEqual(expect.arrayContaining(['libs/providers', 'libs/mapping', 'apps/gateway']));
});

describe('the README of a room', () => {
  it.each(
    rooms
      .flatMap((room) => [`${room}/README.md`, `${room}/CONTRIBUTING.md`])
      .filter((page) => existsSync(join(root, page))),
  )('%s names only files and exports that exist', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const room = dirname(page);
    expect(unknownNames(text, root, [room, 'libs/bus', 'libs/contract', 'libs/store'])).toEqual([]);
  });

  it.each(rooms.filter((room) => existsSync(join(root, room, 'README.md'))))(
    '%s names the rooms that it imports',
    (room) => {
      const text = readFileSync(join(root, room, 'README.md'), 'utf8');
      const imported = sources(room)
        .filter((file) => !/\.(?:spec|fixture)\.ts$/.test(file))
        .map((file) => readFileSync(join(root, room, file), 'utf8'))
        .flatMap((source) =>
          [...source.matchAll(/from '((?:#|@onefold\/)[^']+)'/g)].map(([, alias = '']) => alias),
        );
      const unnamed = [...new Set(imported)].filter((alias) => !text.includes(`\`${alias}\``));
      expect(unnamed).toEqual([]);
    },
  );
});
