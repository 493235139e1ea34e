/** Settings of the gateway in any process. */
export abstract class GatewaySettings {
  /** Address and port of the API. */
  abstract readonly host: string;
  abstract readonly port: number;
  /** The address of the API for clients; without it the address of each request is used. */
  abstract readonly publicUrl?: string;
  /** Whether the API reference is served. */
  abstract readonly referencePage: boolean;
  /** Whether the console is served. */
  abstract readonly console: boolean;
  /** Whether the Connect UI is served. */
  abstract readonly connect: boolean;
  /** Folder with images of providers for both; none if it is empty. */
  abstract readonly providerImagesFolder: string;
  /** Origins whose pages may call. */
  abstract readonly corsOrigins: readonly string[];
  /** Maximum size of a JSON body, unless the limit of its operation is lower. */
  abstract readonly maxBodyBytes: number;
  /** Maximum number of bytes of bodies in memory. */
  abstract readonly maxBodiesBytes: number;
  abstract readonly maxUploadBytes: number;
  /** Number of proxies in front of the gateway. */
  abstract readonly proxyHops: number;
  /** Paths that existing clients know: `old=ours`. */
  abstract readonly pathAliases: readonly string[];
}
