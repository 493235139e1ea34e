import { readKeyFile } from './key-file.js';
import { Sealer } from './sealer.js';

/** A sealer of the keys in files. @throws Error that names the file, what is wrong with it and what to do. */
export function openSealer(files: { keyFile: string; oldKeyFiles?: readonly string[] }): Sealer {
  return new Sealer(readKeyFile(files.keyFile), (files.oldKeyFiles ?? []).map(readKeyFile));
}
