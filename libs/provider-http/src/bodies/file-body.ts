import { randomBytes } from 'node:crypto';
import type { UploadedFile } from './uploaded-file.js';
import type { IdleTimer } from './idle-timer.js';

/** A request body that is the uploaded file. It is sent as it arrives, and only once. */
export class FileBody {
  /** True once reading has begun; from then on the request cannot be repeated. */
  begun = false;

  constructor(
    private readonly file: UploadedFile,
    readonly type: string,
    private readonly limit: number | undefined,
    private readonly around: { head: Buffer; tail: Buffer } = {
      head: Buffer.alloc(0),
      tail: Buffer.alloc(0),
    },
  ) {}

  /** Length in bytes, if known in advance. */
  get length(): number | undefined {
    const { head, tail } = this.around;
    return this.file.size === undefined ? undefined : head.length + this.file.size + tail.length;
  }

  /** The error of the client's upload, which is not a failure of the provider. */
  get failure(): Error | undefined {
    return this.file.failure;
  }

  /** @param idleTimer runs while the provider has to accept a chunk, and after the last one until it responds */
  async *chunks(idleTimer: IdleTimer): AsyncGenerator<Uint8Array> {
    this.begun = true;
    const { head, tail } = this.around;
    if (head.length > 0) yield head;
    idleTimer.stop();
    for await (const chunk of this.file.chunks(this.limit)) {
      idleTimer.start();
      yield chunk;
      idleTimer.stop();
    }
    idleTimer.start();
    if (tail.length > 0) yield tail;
  }
}

/** Writes the file as the last part of multipart/form-data, after the text fields. */
export function multipartBody(
  file: UploadedFile,
  name: string,
  fields: readonly (readonly [string, string])[],
  limit: number | undefined,
): FileBody {
  const boundary = `onefold-${randomBytes(18).toString('base64url')}`;
  const texts = fields.map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(field)}"\r\n\r\n${value}\r\n`,
  );
  const type = file.type.replace(/[\r\n]/g, ' ');
  const head = `${texts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"; filename="${quoted(file.filename)}"\r\nContent-Type: ${type}\r\n\r\n`;
  return new FileBody(file, `multipart/form-data; boundary=${boundary}`, limit, {
    head: Buffer.from(head),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  });
}

/** Escapes a name of multipart/form-data by the rules of the HTML standard. */
function quoted(name: string): string {
  return name.replace(/\r?\n|\r/g, '%0D%0A').replaceAll('"', '%22');
}
