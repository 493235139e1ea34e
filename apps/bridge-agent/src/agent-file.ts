import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { StartError } from '#observe/runtime';
import { agentFileSchema } from './agent-file.schema.js';

/** An entry of the allow-list. */
export interface AllowEntry {
  /** `https://jira.internal:8443`; the first label of the host may be `*`. */
  origin: string;
  /** GET and HEAD when absent. */
  methods?: string[];
  /** Paths, or their beginnings followed by `*`; all when absent. */
  paths?: string[];
}

/** A value in a secret of Vault. */
export interface VaultPlace {
  /** Below the mount, such as `jira/prod`. */
  path: string;
  key: string;
}

/** HashiCorp Vault or OpenBao. */
export interface VaultSettings {
  /** `https://vault.internal:8200` */
  address: string;
  token_file?: string;
  /** The variable of the token, without `token_file`; VAULT_TOKEN when absent. */
  token_env?: string;
  /** Where the KV engine, version 2, is mounted; `secret` when absent. */
  mount?: string;
  namespace?: string;
  /** A value is read again at its first use after this time; 300 when absent. */
  refresh_seconds?: number;
}

/** Where a field of a secret is: one of the four. */
export interface FieldSource {
  value?: string;
  file?: string;
  /** The name of a variable. */
  env?: string;
  vault?: VaultPlace;
}

/** A secret that the agent puts into requests, and that the server never gets. */
export interface SecretEntry {
  name: string;
  /** Where it may be sent; the origin of its token endpoint included. */
  origins: string[];
  /** `username`, `secret`, `client_id`, … by the kind of the credential. */
  fields: Record<string, FieldSource>;
}

/** The configuration of an agent: one YAML or JSON file. */
export interface AgentFile {
  /** The address of the API, such as `https://api.example.com`. */
  server: string;
  /** The file of the group's credential. */
  credential_file?: string;
  /** Where the agent's own key is; created at the first start. */
  key_file: string;
  /** Certificate authority of the server, as a file of PEM. */
  server_ca_file?: string;
  /** Certificate authority of the hosts that it calls, beside the public ones. */
  ca_file?: string;
  allow: AllowEntry[];
  secrets?: SecretEntry[];
  vault?: VaultSettings;
  limits?: {
    request_bytes?: number;
    response_bytes?: number;
    timeout_seconds?: number;
  };
}

/** The variable of the group's credential, in place of `credential_file`. */
export const credentialVariable = 'BRIDGE_CREDENTIAL';

/** Reads the configuration; names of files in it are relative to it. @throws StartError with every fault */
export async function readAgentFile(path: string): Promise<AgentFile> {
  const text = readText(path);
  const file = readValid(text) ?? (await readWithFaults(path, text));
  const beside = (name: string) => resolve(dirname(path), name);
  const { credential_file, server_ca_file, ca_file, secrets, vault } = file;
  return {
    ...file,
    key_file: beside(file.key_file),
    ...(credential_file === undefined ? {} : { credential_file: beside(credential_file) }),
    ...(server_ca_file === undefined ? {} : { server_ca_file: beside(server_ca_file) }),
    ...(ca_file === undefined ? {} : { ca_file: beside(ca_file) }),
    ...(vault?.token_file === undefined
      ? {}
      : { vault: { ...vault, token_file: beside(vault.token_file) } }),
    ...(secrets === undefined ? {} : { secrets: secrets.map((one) => withPlaces(one, beside)) }),
  };
}

/** Reads a file without faults; undefined for another. */
function readValid(text: string): AgentFile | undefined {
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length + document.warnings.length > 0) return undefined;
  const value: unknown = document.toJS();
  return new Ajv2020({ strict: false }).validate(agentFileSchema, value)
    ? (value as AgentFile)
    : undefined;
}

/** Says what is wrong and where. It loads the mapping language with the documents, 10 MB, which an agent with a valid file does not need. */
async function readWithFaults(path: string, text: string): Promise<AgentFile> {
  const { LocatedDocument } = await import('#document');
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  const format = { validate: ajv.compile(agentFileSchema), standIns: {} };
  try {
    const document = new LocatedDocument(text, format);
    document.finish();
    return document.value as AgentFile;
  } catch (error) {
    throw new StartError(`${path}:\n${(error as Error).message}`, { cause: error });
  }
}

function withPlaces(entry: SecretEntry, beside: (name: string) => string): SecretEntry {
  const fields = Object.entries(entry.fields).map(([name, source]) => [
    name,
    source.file === undefined ? source : { file: beside(source.file) },
  ]);
  return { ...entry, fields: Object.fromEntries(fields) as SecretEntry['fields'] };
}

/** Reads a file that the configuration names. @throws StartError */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartError(
      `${path}: the file cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      {
        cause,
      },
    );
  }
}

/** @throws StartError unless there is one */
export function readCredential(
  { credential_file: path }: AgentFile,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const credential = (
    path === undefined ? (environment[credentialVariable] ?? '') : readText(path)
  ).trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential)) return credential;
  throw new StartError(
    `The credential of the bridge group is ${credential === '' ? 'missing' : 'not valid'}: put what creating the group has returned into ${path ?? credentialVariable}.`,
  );
}
