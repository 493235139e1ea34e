import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  compileProviders,
  documentProvider,
  type Manifest,
  type Provider,
  type ProviderDocument,
  type Providers,
} from '#connect';
import { ApiError } from '#contract';
import { MappingError } from '#mapping';

/** The providers of one vendor: their manifests are at hand, the rest is read when it is first used. */
export interface BuiltInProviders {
  /** Different from those of other vendors. */
  folder: string;
  manifests: readonly Manifest[];
  load(): readonly Provider[] | Promise<readonly Provider[]>;
}

const defaultMaxCompiled = 200;

/** Every provider, built in or of a customer's document. Documents are compiled when they are first used. */
export class ProviderCatalogue implements Providers {
  /** The manifests of the built-in providers. */
  readonly manifests: readonly Manifest[];
  /** The built-in providers, by their ids. */
  private readonly builtIn: ReadonlyMap<string, BuiltInProviders>;
  private readonly compiled: LRUCache<string, Promise<readonly Provider[]>>;

  /** @param maxCompiled documents that are kept compiled; the least recently used goes first */
  constructor(builtIn: readonly BuiltInProviders[], maxCompiled = defaultMaxCompiled) {
    this.manifests = builtIn.flatMap(({ manifests }) => manifests);
    this.builtIn = new Map(
      builtIn.flatMap((one) => one.manifests.map(({ type }) => [type, one] as const)),
    );
    this.compiled = new LRUCache({ max: maxCompiled });
  }

  isBuiltIn(type: string): boolean {
    return this.builtIn.has(type);
  }

  /** @throws Error when a built-in document is wrong; ApiError 502 when a customer's one is */
  async find(type: string, document?: ProviderDocument): Promise<Provider | undefined> {
    const builtIn = this.builtIn.get(type);
    const found =
      document === undefined
        ? builtIn && (await this.load(builtIn.folder, () => builtIn.load()))
        : await this.ofDocument(document);
    return found?.find((one) => one.type === type);
  }

  /** The providers that a customer's document describes. @throws ApiError 502 when it was valid once and is not any more */
  ofDocument(document: ProviderDocument): Promise<readonly Provider[]> {
    return this.load(`${document.id} ${document.version}`, () => compile(document));
  }

  private load(key: string, load: BuiltInProviders['load']): Promise<readonly Provider[]> {
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    // A document takes some 50 ms to compile: other calls go first.
    const loading = setImmediate().then(load);
    this.compiled.set(key, loading);
    loading.catch(() => this.compiled.delete(key));
    return loading;
  }
}

function compile({ id, data }: ProviderDocument): readonly Provider[] {
  try {
    return compileProviders(data).map(documentProvider);
  } catch (cause) {
    if (!(cause instanceof MappingError)) throw cause;
    throw new ApiError(502, `the custom provider ${id} is wrong: ${cause.message}`, {
      remediation: 'Correct it with PUT /v1/customs/….',
      cause,
    });
  }
}
