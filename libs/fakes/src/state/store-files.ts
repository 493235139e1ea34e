import { randomUUID } from 'node:crypto';
import { ApiError } from '#contract';
import type { Scope, Store, Transaction } from '#store';
import {
  type FakeFiles,
  maxFilesBytes,
  piecesOf,
  type StoredFile,
  writeParts,
} from './fake-files.js';

/** How long a file without a record is kept, for those who read it and for the record that is about to refer to it. */
const keptSeconds = 600;

/** Keeps the files of an integration in the database, part by part. */
export class StoreFiles implements FakeFiles {
  constructor(
    private readonly store: Pick<Store, 'select' | 'write'>,
    private readonly scope: Scope,
    private readonly integrationId: string,
  ) {}

  async write(chunks: AsyncIterable<Uint8Array>, maxFileBytes: number): Promise<StoredFile> {
    const id = randomUUID();
    await this.store.write(this.scope, async (tx) => {
      await tx.query(
        'delete from fake_files where integration_id = $1 and organization_id = $2 and expires_at < now()',
        this.place,
      );
      await tx.query(
        `insert into fake_files (integration_id, organization_id, id, expires_at)
         values ($1, $2, $3, now() + interval '${keptSeconds} seconds')`,
        [...this.place, id],
      );
    });
    try {
      const file = await writeParts(chunks, maxFileBytes, (part, index) =>
        this.store.write(this.scope, (tx) => this.addPart(tx, id, part, index)),
      );
      return { ...file, stored_file: id };
    } catch (error) {
      await this.drop(id);
      throw error;
    }
  }

  async *read(id: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (const { part, from, length } of piecesOf(start, end)) {
      const [row] = await this.store.select<{ content: string }>(
        this.scope,
        `select encode(substring(content from ($1 ->> 4)::int for ($1 ->> 5)::int), 'base64') as content
         from fake_file_parts
         where integration_id = $1 ->> 0 and organization_id = $1 ->> 1 and file_id = $1 ->> 2 and part = ($1 ->> 3)::int`,
        [...this.place, id, ...[part, from + 1, length].map(String)],
      );
      if (row === undefined) throw new Error(`the file ${id} of the fake was dropped`);
      yield Buffer.from(row.content, 'base64');
    }
  }

  async drop(id: string): Promise<void> {
    await this.store.write(this.scope, (tx) =>
      tx.query(
        'delete from fake_files where integration_id = $1 and organization_id = $2 and id = $3',
        [...this.place, id],
      ),
    );
  }

  /** Notes which files records refer to, in the transaction that changes the records. */
  async refer(tx: Transaction, { kept, left }: Record<'kept' | 'left', string[]>): Promise<void> {
    for (const [ids, expires] of [
      [left, `now() + interval '${keptSeconds} seconds'`],
      [kept, 'null'],
    ] as const)
      if (ids.length > 0)
        await tx.query(
          `update fake_files set expires_at = ${expires}
           where integration_id = $1 and organization_id = $2 and id = any($3)`,
          [...this.place, ids],
        );
  }

  /** @throws ApiError 409 if the integration has too many files */
  private async addPart(tx: Transaction, id: string, part: Buffer, index: number): Promise<void> {
    await tx.query(
      `insert into fake_file_parts (integration_id, organization_id, file_id, part, content)
       values ($1, $2, $3, $4, $5)`,
      [...this.place, id, index, part],
    );
    await tx.query(
      `update fake_files set bytes = bytes + $4
       where integration_id = $1 and organization_id = $2 and id = $3`,
      [...this.place, id, part.length],
    );
    const [total] = await tx.query<{ bytes: number }>(
      `select sum(bytes)::float8 as bytes from fake_files
       where integration_id = $1 and organization_id = $2`,
      this.place,
    );
    // Those that were replaced a short time ago are among them.
    if ((total?.bytes ?? 0) > maxFilesBytes)
      throw new ApiError(409, `the mock keeps at most ${maxFilesBytes / 1_048_576} MB of files`, {
        remediation: `Delete files; those that were replaced or deleted count for ${keptSeconds / 60} more minutes.`,
      });
  }

  private get place(): [string, string] {
    return [this.integrationId, this.scope.organizationId];
  }
}
