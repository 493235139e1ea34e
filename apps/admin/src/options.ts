/** The options of the command line. */
export interface Options {
  ttl?: string;
  organization?: string;
  member?: string;
  data?: string;
  /** The key service that wraps a new key, such as `aws-kms alias/onefold`. */
  'kept-by'?: string;
  /** The file to write. */
  file?: string;
  step?: string;
  domains?: string;
  url?: string;
  /** The process or role that the environment of the doctor is for: `owner`, `service` or the name of a process. */
  as?: string;
  json?: boolean;
  /** Ids of jobs. */
  cancel?: string;
  retry?: string;
  /** Prints tokens as variables of a shell. */
  export?: boolean;
}
