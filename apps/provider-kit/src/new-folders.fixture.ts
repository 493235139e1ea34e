import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect } from '@jest/globals';
import { ProviderFolder } from './folders.js';

/** Makes a place for folders of providers, which is removed behind the specs of a suite. */
export function newFolders() {
  const path = mkdtempSync(join(tmpdir(), 'onefold-kit-'));
  const parent = pathToFileURL(`${path}/`);
  afterAll(() => rmSync(path, { recursive: true }));

  /** Replaces a text, which has to be there, of a file of a folder. */
  const change = (name: string, file: string, from: string, to: string): ProviderFolder => {
    const folder = new ProviderFolder(name, parent);
    const text = folder.read(file);
    expect(text).toContain(from);
    writeFileSync(new URL(file, folder.url), text.replace(from, to));
    return folder;
  };
  return { parent, change };
}
