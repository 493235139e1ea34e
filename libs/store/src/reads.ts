import type { DataSource } from 'typeorm';

/**
 * Maximum number of statements in one message. With more, callers that began together stay together: database and process then wait
 * for each other in turns.
 */
const maxTogether = 8;

interface Read {
  organizationId: string;
  statement: string;
  parameters: readonly string[];
  settle: (rows: unknown[]) => void;
  fail: (reason: unknown) => void;
}

/**
 * Runs single statements that only read. Statements of one turn of the event loop are sent in one message, because writing a message
 * costs this process more than the read costs the database. Each runs under its own organization.
 */
export class Reads {
  private waiting: Read[] = [];

  constructor(private readonly database: DataSource) {}

  /** @param statement names its parameters `$1 ->> 0`, `$1 ->> 1`, … */
  add(
    organizationId: string,
    statement: string,
    parameters: readonly string[],
  ): Promise<unknown[]> {
    return new Promise((settle, fail) => {
      const waiting = this.waiting.push({ organizationId, statement, parameters, settle, fail });
      if (waiting === 1) setImmediate(() => this.flush());
      if (waiting === maxTogether) this.flush();
    });
  }

  private flush(): void {
    const reads = this.waiting;
    this.waiting = [];
    if (reads.length > 0) void this.send(reads);
  }

  private async send(reads: readonly Read[]): Promise<void> {
    const asked = reads.map(({ organizationId, statement, parameters }) => [
      organizationId,
      statement,
      parameters,
    ]);
    try {
      const rows = await this.database.query<{ read: number; row: unknown }[]>(
        'select read, "row" from onefold_read($1)',
        [JSON.stringify(asked)],
      );
      const found: unknown[][] = reads.map(() => []);
      for (const { read, row } of rows) found[read]?.push(row);
      reads.forEach(({ settle }, index) => settle(found[index] ?? []));
    } catch (error) {
      const [only] = reads;
      if (reads.length === 1) only?.fail(error);
      else for (const read of reads) void this.send([read]); // one of them is to blame
    }
  }
}
