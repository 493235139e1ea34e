import { DerivedKeys } from './derived-keys.js';
import type { Key, Keys, KeySource } from './key.js';
import type { Keyring } from './keyring.js';

/**
 * Keys of messages between processes: from the bus's own key file, or else from the key-encryption key. A process with both accepts
 * messages under either, and one without the file those under the key that is derived for it, so that processes get the file in any order.
 */
export class BusKeys implements KeySource {
  /** @param own the keys of the bus's file @param ring the other keys of the process */
  constructor(
    private readonly own: Keyring | undefined,
    private readonly ring: Keyring,
  ) {}

  derive(purpose: string): Keys {
    const { own, ring } = this;
    const find = (id: string): Key | undefined => {
      const key = own?.find(id) ?? ring.bus.find(id) ?? ring.find(id);
      return key?.domain === undefined ? key : undefined; // the key of a domain authenticates nobody
    };
    return new DerivedKeys(() => (own ?? ring).current, find, purpose);
  }
}
