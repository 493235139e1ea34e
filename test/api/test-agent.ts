import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from '#apps/bridge-agent';
import { JsonLog, type Stop } from '#observe';

/** A bridge agent in the process of the spec. */
export class TestAgent {
  private readonly lines: string[] = [];
  private readonly waiting = new Set<() => void>();
  private close: Stop | undefined;

  /** @param folder the folder of its files; another one has another key */
  constructor(readonly folder = mkdtempSync(join(tmpdir(), 'onefold-agent-'))) {}

  /** @param environment further variables */
  async start(
    server: string,
    credential: string,
    settings: object = {},
    environment: Record<string, string> = {},
  ): Promise<this> {
    const file = join(this.folder, 'bridge-agent.json');
    writeFileSync(file, JSON.stringify({ server, key_file: 'agent.key', allow: [], ...settings }));
    const log = new JsonLog({
      service: 'bridge-agent',
      write: (line) => {
        this.lines.push(line);
        for (const check of this.waiting) check();
      },
    });
    const variables = { BRIDGE_CREDENTIAL: credential, ...environment };
    this.close = await startAgent([file], variables, log);
    return this;
  }

  /** Resolves with the first line of its log that matches. */
  async says(pattern: RegExp): Promise<string> {
    return await new Promise((resolve) => {
      const check = () => {
        const found = this.lines.find((line) => pattern.test(line));
        if (found === undefined) return;
        this.waiting.delete(check);
        resolve(found);
      };
      this.waiting.add(check);
      check();
    });
  }

  hasSaid(pattern: RegExp): boolean {
    return this.lines.some((line) => pattern.test(line));
  }

  /** Returns how many lines of its log match. */
  count(pattern: RegExp): number {
    return this.lines.filter((line) => pattern.test(line)).length;
  }

  async stop(): Promise<void> {
    await this.close?.();
  }
}
