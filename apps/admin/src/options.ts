/** The options of the command line. */
export interface Options {
  ttl?: string;
  organization?: string;
  member?: string;
  data?: string;
  /** The key service that wraps a new key, such as `aws-kms alias/onefold`. */
  'kept-by'?: string;
  step?: string;
  domains?: string;
  url?: string;
  /** Ids of jobs. */
  cancel?: string;
  retry?: string;
  /** Prints tokens as variables of a shell. */
  export?: boolean;
}
