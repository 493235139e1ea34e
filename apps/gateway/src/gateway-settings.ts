/** What the gateway can be told, whatever process it runs in. */
export abstract class GatewaySettings {
  /** Address and port of the API. */
  abstract readonly host: string;
  abstract readonly port: number;
  /** Origins whose pages may call. */
  abstract readonly corsOrigins: readonly string[];
  /** Largest JSON body, where the limit of its operation is not lower. */
  abstract readonly maxBodyBytes: number;
  /** Bytes of bodies that are held at one time. */
  abstract readonly maxBodiesBytes: number;
  abstract readonly maxUploadBytes: number;
  /** How many proxies stand before it. */
  abstract readonly proxyHops: number;
}
