import { deriveBytes, type Key, keyOf, type Keys } from './key.js';
import { KeyUnusable } from './key-unusable.js';

/**
 * Keys for a part of the data or of the processes, each derived from a key-encryption key and with an id of its own, so that a process
 * can be given them without the key-encryption keys.
 */
export class PartKeys implements Keys {
  private keys: readonly Key[] = [];

  /** @param purpose such as `domain ticketing` */
  constructor(
    private readonly purpose: string,
    private readonly domain?: string,
  ) {}

  get current(): Key {
    const [first] = this.keys;
    if (first === undefined)
      throw new KeyUnusable(
        `This process has neither the key of the ${this.purpose} nor the key-encryption key. Add the first to KEY_FILE (npm run -s admin -- domain-key).`,
      );
    return first;
  }

  /** The current key first. */
  get all(): readonly Key[] {
    return this.keys;
  }

  find(id: string): Key | undefined {
    return this.keys.find((key) => key.id === id);
  }

  /** @param given keys of the files of the process, which come before those that are derived */
  replace(masters: readonly Key[], given: readonly Key[] = []): void {
    const derived = masters.map((key) => keyOf(deriveBytes(key, this.purpose), this.domain));
    this.keys = [...given, ...derived];
  }
}
