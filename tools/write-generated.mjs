import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes a generated file, unless it was made of the same texts. Its head has their hash.
 * @param {URL} target
 * @param {readonly (string | Buffer)[]} texts all that it is made of, the code that makes it too
 * @param {() => Promise<string>} make
 * @returns {Promise<boolean>} whether it was written
 */
export async function writeGenerated(target, texts, make) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  const head = `/* eslint-disable */\n// ${hash.digest('hex')}\n`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(head)) return false;
  const made = await make();
  mkdirSync(dirname(fileURLToPath(target)), { recursive: true });
  writeFileSync(target, head + made);
  return true;
}
