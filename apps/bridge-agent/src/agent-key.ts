import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { StartError } from '#observe/runtime';

/** Reads the agent's own key, or makes it at the first start, readable by its user alone. @throws StartError */
export function openAgentKey(path: string): KeyObject {
  try {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(path, pem, { flag: 'wx', mode: 0o600 });
    return privateKey;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new StartError(`${path}: the key of the agent cannot be written (${code}).`, { cause });
  }
  try {
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new StartError(`${path}: the key of the agent cannot be read.`, { cause });
  }
  throw new StartError(`${path}: the key of the agent is not an Ed25519 key.`);
}
