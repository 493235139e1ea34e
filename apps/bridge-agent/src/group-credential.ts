import { unwatchFile, watchFile } from 'node:fs';
import type { JsonLog } from '#observe/runtime';
import { type AgentFile, readCredential } from './agent-file.js';

/** Files are looked at this often. Events of file systems do not tell of mounted Secrets and network drives everywhere. */
const watchIntervalMs = 1_000;

/** The credential of the agent's group. Whoever rotates it writes its file again, without starting the agent again. */
export class GroupCredential {
  private last: string;

  /** @throws StartError unless there is one */
  constructor(
    private readonly file: AgentFile,
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly log: Pick<JsonLog, 'log' | 'warn'>,
  ) {
    this.last = readCredential(file, environment);
  }

  /** Reads it again; the last one while there is no valid one, as when its file is being written. */
  read(): string {
    try {
      this.last = readCredential(this.file, this.environment);
    } catch (error) {
      this.log.warn({ message: 'credential not read', reason: (error as Error).message });
    }
    return this.last;
  }

  /** Calls a function whenever the file has another credential. @returns a function that ends this */
  watch(onChange: () => void): () => void {
    const { credential_file: path } = this.file;
    if (path === undefined) return () => undefined;
    const check = () => {
      const before = this.last;
      if (this.read() === before) return;
      this.log.log({ message: 'credential changed', file: path });
      onChange();
    };
    watchFile(path, { interval: watchIntervalMs, persistent: false }, check);
    return () => unwatchFile(path, check);
  }
}
