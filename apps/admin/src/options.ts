/** The options of the command line. */
export interface Options {
  ttl?: string;
  organization?: string;
  member?: string;
  data?: string;
  /** The key service that wraps a new key, such as `aws-kms alias/onefold`. */
  'kept-by'?: string;
  /** The folder to write to. */
  folder?: string;
  /** The address on which nats-server listens. */
  listen?: string;
  /** The folder with the certificates of nats-server. */
  tls?: string;
  /** The file to write. */
  file?: string;
  step?: string;
  /** Sets of domains, each separated by commas: one for each time that the option is given. */
  domains?: string[];
  /** The names of processes, separated by commas. */
  processes?: string;
  url?: string;
  /** The process or role that the environment of the doctor is for: `owner`, `service` or the name of a process. */
  as?: string;
  json?: boolean;
  /** Prints again and again. */
  watch?: boolean;
  /** Ids of jobs. */
  cancel?: string;
  retry?: string;
  /** Prints tokens as variables of a shell. */
  export?: boolean;
  /** Prints a program for the client for TypeScript. */
  typescript?: boolean;
}
