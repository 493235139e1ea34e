import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ResolvedIntegration } from '#bus';
import { ApiError } from '#contract';
import { MappingError } from '@onefold/mapping';
import {
  type CompiledProvider,
  compileProviders,
  type Manifest,
  type ProviderDescription,
} from '#provider-document';

/** The providers of one vendor: their manifests are in memory, the rest is read at the first use. */
export interface BuiltInProviders<P extends ProviderDescription> {
  /** Different from those of other vendors. */
  folder: string;
  manifests: readonly Manifest[];
  load(): readonly P[] | Promise<readonly P[]>;
}

/** Provider document of a customer. */
type CustomDocument = NonNullable<ResolvedIntegration['providerDocument']>;

const defaultMaxCompiled = 200;
/** Memory of a compiled document by characters of its text, as of mappings: 50 bytes, and up to 80 more once code is generated. */
const bytesPerCharacter = 120;
/** Memory for the documents of customers, which choose their size. */
const maxCustomBytes = 67_108_864;

/**
 * All providers, built in or described by a customer's document. Documents are read at their first use. A process
 * that calls providers gets them runnable, the management API gets their descriptions.
 */
export class ProviderCatalogue<P extends ProviderDescription = ProviderDescription> {
  /** The manifests of the built-in providers. */
  readonly manifests: readonly Manifest[];
  /** The built-in providers by their ids. */
  private readonly builtIn: ReadonlyMap<string, BuiltInProviders<P>>;
  private readonly compiled: LRUCache<string, Promise<readonly P[]>>;
  /** Apart, so that large documents of customers do not drop built-in ones. */
  private readonly customs: LRUCache<string, Promise<readonly P[]>>;

  /**
   * Creates a catalogue.
   * @param make creates a provider from its compiled document
   * @param maxCompiled maximum number of compiled documents that are cached; the least recently used is dropped first
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
    this.customs = new LRUCache({ max: maxCompiled, maxSize: maxCustomBytes });
  }

  isBuiltIn(type: string): boolean {
    return this.builtIn.has(type);
  }

  /**
   * Compiles the document of a provider.
   * @throws Error if a built-in document is not valid; ApiError 502 if a customer's one is not
   */
  async find(type: string, document?: CustomDocument): Promise<P | undefined> {
    const builtIn = this.builtIn.get(type);
    const found =
      document === undefined
        ? builtIn && (await this.load(this.compiled, builtIn.folder, () => builtIn.load()))
        : await this.ofDocument(document);
    return found?.find((one) => one.type === type);
  }

  /** Compiles the providers of a customer's document. @throws ApiError 502 if it is no longer valid */
  ofDocument(document: CustomDocument): Promise<readonly P[]> {
    return this.load(
      this.customs,
      `${document.id} ${document.version}`,
      () => compile(document).map((one) => this.make(one)),
      document.data.length * bytesPerCharacter,
    );
  }

  /** Compiles the providers of customers' documents. Those of a document that is no longer valid are left out: calls of it say why. */
  async ofValid(documents: readonly CustomDocument[]): Promise<P[]> {
    const made = await Promise.all(
      documents.map((one) =>
        this.ofDocument(one).catch((error: unknown) => {
          if (error instanceof ApiError) return [];
          throw error;
        }),
      ),
    );
    return made.flat();
  }

  /** @param size memory that counts in a cache which is limited by it */
  private load(
    cache: LRUCache<string, Promise<readonly P[]>>,
    key: string,
    load: BuiltInProviders<P>['load'],
    size?: number,
  ): Promise<readonly P[]> {
    const known = cache.get(key);
    if (known !== undefined) return known;
    // To read a document takes tens of milliseconds, so other calls run first.
    const loading = setImmediate().then(load);
    cache.set(key, loading, size === undefined ? {} : { size });
    loading.catch(() => cache.delete(key));
    return loading;
  }
}

function compile({ id, data }: CustomDocument): readonly CompiledProvider[] {
  try {
    return compileProviders(data);
  } catch (cause) {
    if (!(cause instanceof MappingError)) throw cause;
    throw new ApiError(
      502,
      `the document of the custom provider ${id} is not valid: ${cause.message}`,
      {
        remediation: 'Correct it with PUT /v1/customs/….',
        cause,
      },
    );
  }
}
