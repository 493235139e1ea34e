import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { documentFormat, LocatedDocument } from '#document';
import { StartError } from '#observe';
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
  limits?: {
    request_bytes?: number;
    response_bytes?: number;
    timeout_seconds?: number;
  };
}

/** The variable of the group's credential, in place of `credential_file`. */
export const credentialVariable = 'BRIDGE_CREDENTIAL';

const format = documentFormat(agentFileSchema);

/** Reads the configuration; names of files in it are relative to it. @throws StartError with every fault */
export function readAgentFile(path: string): AgentFile {
  const text = readText(path);
  let file: AgentFile;
  try {
    const document = new LocatedDocument(text, format);
    document.finish();
    file = document.value as AgentFile;
  } catch (error) {
    throw new StartError(`${path}:\n${(error as Error).message}`, { cause: error });
  }
  const beside = (name: string) => resolve(dirname(path), name);
  const { credential_file, server_ca_file, ca_file } = file;
  return {
    ...file,
    key_file: beside(file.key_file),
    ...(credential_file === undefined ? {} : { credential_file: beside(credential_file) }),
    ...(server_ca_file === undefined ? {} : { server_ca_file: beside(server_ca_file) }),
    ...(ca_file === undefined ? {} : { ca_file: beside(ca_file) }),
  };
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
