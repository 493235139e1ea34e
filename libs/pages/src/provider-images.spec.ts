import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProviderImages } from './index.js';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');

describe('images of providers', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'onefold-images-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: string | Buffer = svg) =>
    writeFileSync(join(folder, name), content);
  const read = () => [...ProviderImages.read(folder).files.keys()];

  it('are none without a folder', () => {
    expect(ProviderImages.read('').files.size).toBe(0);
  });

  it('are read in three formats, from a mounted ConfigMap as well', () => {
    write('ticketing_jira.png', png);
    write('s3.webp', webp);
    mkdirSync(join(folder, '..2026'));
    write('..2026/github.svg');
    symlinkSync('..2026', join(folder, '..data'));
    symlinkSync('..data/github.svg', join(folder, 'github.svg'));
    write('.DS_Store', 'of a desktop');
    expect(read()).toEqual(['github.svg', 's3.webp', 'ticketing_jira.png']);
    expect(ProviderImages.read(folder).files.get('github.svg')?.toString()).toBe(svg);
  });

  it.each([
    ['github.jpg', svg, /github\.jpg must end with \.svg, \.png, \.webp/],
    ['github', svg, /github must end with/],
    ['GitHub.svg', svg, /GitHub\.svg must have the id of a provider as its name, such as/],
    ['git-hub.svg', svg, /git-hub\.svg must have the id of a provider/],
    ['github.png', svg, /github\.png is not a valid PNG file/],
    ['github.webp', png, /github\.webp is not a valid WEBP file/],
    ['github.svg', '<svg viewBox="0 0 9 9"/>', /github\.svg is not a valid SVG file: .*xmlns=/],
    ['github.svg', '', /github\.svg is not a valid SVG file/],
    ['github.svg', svg + ' '.repeat(100_000), /github\.svg has 100041 bytes, allowed are 100000/],
  ])('refuse the file %s', (name, content, message) => {
    write(name, content);
    expect(read).toThrow(message);
    expect(read).toThrow('PROVIDER_IMAGES_FOLDER');
  });

  it('refuse two files of one provider, folders, links to nowhere and too many files, and name each', () => {
    write('github.svg');
    write('github.png', png);
    mkdirSync(join(folder, 'jira.svg'));
    symlinkSync('gone.svg', join(folder, 'okta.svg'));
    expect(read).toThrow(/github\.svg and github\.png are of one provider: remove one of them/);
    expect(read).toThrow(/jira\.svg must be a file/);
    expect(read).toThrow(/okta\.svg cannot be read \(ENOENT\)/);
    for (let index = 0; index < 500; index += 1) write(`a${index}.svg`);
    expect(read).toThrow(/has 504 files: remove some, as at most 500 are read/);
  });

  it('name a folder that cannot be read', () => {
    const missing = join(folder, 'missing');
    expect(() => ProviderImages.read(missing)).toThrow(
      `PROVIDER_IMAGES_FOLDER: ${missing} cannot be read (ENOENT). Name a folder`,
    );
  });
});
