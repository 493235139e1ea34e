import { DerivedKeys } from './derived-keys.js';
import type { Key, Keys, KeySource } from './key.js';
import { KeyUnusable } from './key-unusable.js';
import { PartKeys } from './part-keys.js';

export interface KeyringOptions {
  /** The domains whose keys are found by their ids. */
  domains?: readonly string[];
  /** Whether new data of a domain is sealed with the domain's key although the key-encryption key is there. */
  domainKeys?: boolean;
}

/** The keys of a process: key-encryption keys, or those of some domains alone. They may be replaced while it runs. */
export class Keyring implements Keys, KeySource {
  private loaded: ReadonlyMap<string, Key> = new Map();
  private masters: readonly Key[] = [];
  private readonly domains = new Map<string, PartKeys>();
  private readonly domainKeys: boolean;
  /** Keys of the bus for processes without the key-encryption keys. */
  readonly bus = new PartKeys('bus key');

  /** @param keys the first one wraps new data keys, the others only unwrap existing ones; those of each domain likewise. */
  constructor(keys: readonly Key[], { domains = [], domainKeys = false }: KeyringOptions = {}) {
    this.domainKeys = domainKeys;
    this.replace(keys);
    for (const domain of domains) this.forDomain(domain);
  }

  /** The key-encryption key of all domains. @throws KeyUnusable in a process that has keys of domains alone */
  get current(): Key {
    const [first] = this.masters;
    if (first === undefined)
      throw new KeyUnusable(
        `This needs the key-encryption key, and KEY_FILE has keys of single domains alone: ${this.givenDomains.join(', ') || 'none'}.`,
      );
    return first;
  }

  /** True with the key-encryption key, from which the keys of all domains are derived. */
  get isComplete(): boolean {
    return this.masters.length > 0;
  }

  /** The ids of the keys in the files of the process. */
  get ids(): string[] {
    return [...this.loaded.keys()];
  }

  /** The domains whose keys are in the files of the process. */
  get givenDomains(): string[] {
    return [...new Set([...this.loaded.values()].flatMap(({ domain }) => domain ?? []))];
  }

  /** The keys that wrap new data keys now: of all data, and of each known domain. */
  get currentIds(): string[] {
    const first = [this.masters, ...[...this.domains.values()].map(({ all }) => all)];
    return first.flatMap(([key]) => key?.id ?? []);
  }

  find(id: string): Key | undefined {
    const known = this.loaded.get(id);
    if (known) return known;
    for (const keys of this.domains.values()) {
      const derived = keys.find(id);
      if (derived) return derived;
    }
    return undefined;
  }

  replace(keys: readonly Key[]): void {
    this.loaded = new Map(keys.map((key) => [key.id, key]));
    this.masters = keys.filter(({ domain }) => domain === undefined);
    this.bus.replace(this.masters);
    for (const domain of [...this.domains.keys(), ...this.givenDomains]) this.load(domain);
  }

  /** The keys of a domain: those of the files, and those that are derived from the key-encryption keys. */
  forDomain(domain: string): PartKeys {
    return this.domains.get(domain) ?? this.load(domain);
  }

  /** The domain whose keys seal new data of it; undefined where the key-encryption key does. */
  sealingDomain(domain: string | undefined): string | undefined {
    return this.domainKeys || !this.isComplete ? domain : undefined;
  }

  /** Derives keys for another purpose, each from the key with the same id. @param domain the domain that they are used for */
  derive(purpose: string, domain?: string): Keys {
    const current = () => {
      const own = this.sealingDomain(domain);
      return own === undefined ? this.current : this.forDomain(own).current;
    };
    return new DerivedKeys(current, (id) => this.find(id), purpose);
  }

  private load(domain: string): PartKeys {
    const keys = this.domains.get(domain) ?? new PartKeys(`domain ${domain}`, domain);
    const given = [...this.loaded.values()].filter((key) => key.domain === domain);
    keys.replace(this.masters, given);
    this.domains.set(domain, keys);
    return keys;
  }
}
