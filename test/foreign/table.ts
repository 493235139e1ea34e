import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { OperationId } from '#contract';
import { parse } from 'yaml';

/** A table of this folder: where the records are in what others saw a vendor answer. One file per vendor. */
export interface VendorTable {
  /** Folder of the exchanges. */
  vendor: string;
  /** Folder of libs/providers. */
  folder: string;
  /** Id of the provider. */
  provider: string;
  /**
   * `provider_config` without its type; the replay takes the place of every host. With `*` as in a path, before which it is filled, and with `$private_key`
   * for a private RSA key.
   */
  configuration: Record<string, unknown>;
  lists: ForeignList[];
}

/** An operation, and the answers whose records it must give. */
export interface ForeignList {
  operation: OperationId;
  /** The part that is read, if the operation is here more than once. */
  title?: string;
  /** Path parameters. With `*` the operation runs once for each path of `answers` that was recorded, with what stands there at the `*`. */
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  /** How many pages of ours are read, where the pages behind were not recorded; all without it. */
  pages?: number;
  /** Requests that are answered by another's exchanges, because its records have the same shape: `POST /search: GET /search`. */
  as?: Record<string, string>;
  /**
   * Name of an answer of which nobody says the request, or the request of one that answers another than ours (`POST /comments`): it is
   * served as `serve` says, and nothing else is.
   */
  given?: string;
  /** A pointer that a given answer must have, to tell it from others of the same name. */
  has?: string;
  /**
   * Answers made of the given one, by request (`GET /users`): a mapping, `root = this` for the same. Without a given one, they are added. An answer in
   * XML is a text, and so is what is made for one.
   */
  serve?: Record<string, string>;
  /** The answers with the records: `GET /api/v1/users`, with `*` for a part of the path, and `|` between several paths. */
  answers: string;
  /** Pointer to the records of an answer, such as `/issues/*`; in XML it begins with the first element: `/HOST_LIST_OUTPUT/RESPONSE/HOST_LIST/HOST/*`. */
  records: string;
  /** Pointer that only records of another kind have, which the operation leaves out. */
  except?: string;
  /** Values, by pointers, that the records of the operation have; those with others are records of another operation. */
  where?: Record<string, unknown>;
  /** Pointer to the id of a record; where it has none, how ours is made of pointers: `{/asset/uuid}:{/plugin/id}`. */
  id: string;
  /** The recorded answer that is served to a request (`POST /export: 2`), where a job was recorded more than once. */
  take?: Record<string, number>;
  /**
   * The values that people act on, by pointers in theirs and ours (`/fields/status/name -> /status`): their values with ours, or how both are the same,
   * as texts or as instants. Where a record of theirs has no value, nothing is compared as the same.
   */
  values?: Record<string, Record<string, unknown> | 'same text' | 'same instant'>;
  /** Fields of theirs that no record of ours has room for, as patterns of pointers, each with the reason. */
  dropped?: Record<string, string>;
  /** Pointer to the same id in a record of ours, for `values`. */
  same?: string;
}

const sources = new URL('../../../test/foreign/', import.meta.url);

export function readTables(): VendorTable[] {
  return readdirSync(sources)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => parse(readFileSync(new URL(name, sources), 'utf8'), withKey) as VendorTable);
}

/** Puts a key where a table needs one: a key in a file would look like a secret. */
function withKey(_name: unknown, value: unknown): unknown {
  if (value !== '$private_key') return value;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}
