import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ResolvedIntegration } from '#bus';
import { ApiError } from '#contract';
import { MappingError } from '#mapping';
import {
  type CompiledProvider,
  compileProviders,
  type Manifest,
  type ProviderDescription,
} from '#provider-document';

/** The providers of one vendor: their manifests are in memory, the rest is read when it is first used. */
export interface BuiltInProviders<P extends ProviderDescription> {
  /** Different from those of other vendors. */
  folder: string;
  manifests: readonly Manifest[];
  load(): readonly P[] | Promise<readonly P[]>;
}

/** A provider document that a customer has written. */
type CustomDocument = NonNullable<ResolvedIntegration['providerDocument']>;

const defaultMaxCompiled = 200;

/**
 * Every provider, built in or described by a customer's document. Documents are compiled when they are first used. A process that calls
 * providers gets them runnable, the management API gets their descriptions.
 */
export class ProviderCatalogue<P extends ProviderDescription = ProviderDescription> {
  /** The manifests of the built-in providers. */
  readonly manifests: readonly Manifest[];
  /** The built-in providers, by their ids. */
  private readonly builtIn: ReadonlyMap<string, BuiltInProviders<P>>;
  private readonly compiled: LRUCache<string, Promise<readonly P[]>>;

  /**
   * @param make makes a provider out of its compiled document
   * @param maxCompiled documents that are kept compiled; the least recently used goes first
   */
  constructor(
    builtIn: readonly BuiltInProviders<P>[],
    private readonly make: (compiled: CompiledProvider) => P,
    maxCompiled = defaultMaxCompiled,
  ) {
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
  async find(type: string, document?: CustomDocument): Promise<P | undefined> {
    const builtIn = this.builtIn.get(type);
    const found =
      document === undefined
        ? builtIn && (await this.load(builtIn.folder, () => builtIn.load()))
        : await this.ofDocument(document);
    return found?.find((one) => one.type === type);
  }

  /** The providers that a customer's document describes. @throws ApiError 502 when it was valid once and is not any more */
  ofDocument(document: CustomDocument): Promise<readonly P[]> {
    return this.load(`${document.id} ${document.version}`, () =>
      compile(document).map((one) => this.make(one)),
    );
  }

  private load(key: string, load: BuiltInProviders<P>['load']): Promise<readonly P[]> {
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    // A document takes some 50 ms to compile: other calls go first.
    const loading = setImmediate().then(load);
    this.compiled.set(key, loading);
    loading.catch(() => this.compiled.delete(key));
    return loading;
  }
}

function compile({ id, data }: CustomDocument): readonly CompiledProvider[] {
  try {
    return compileProviders(data);
  } catch (cause) {
    if (!(cause instanceof MappingError)) throw cause;
    throw new ApiError(502, `the custom provider ${id} is wrong: ${cause.message}`, {
      remediation: 'Correct it with PUT /v1/customs/….',
      cause,
    });
  }
}
