import { ApiError } from '#contract';

/** The file of an upload. It is read once, as it arrives. */
export class UploadedFile {
  begun = false;
  /** True once the file was read to its end. */
  complete = false;
  /** The error of the upload itself, as opposed to one of its receiver. */
  failure: ApiError | undefined;

  /** @param dispose ends the upload before its end */
  constructor(
    readonly filename: string,
    readonly type: string,
    /** Size in bytes, if known in advance. */
    readonly size: number | undefined,
    private readonly content: AsyncIterable<Uint8Array>,
    private readonly dispose: () => void,
  ) {}

  /** @param limit in bytes @throws ApiError 400 and 413 for errors of the upload, also stored in {@link failure} */
  async *chunks(limit = Infinity): AsyncGenerator<Uint8Array> {
    this.begun = true;
    let bytes = 0;
    try {
      for await (const chunk of this.content) {
        bytes += chunk.length;
        if (bytes > limit) throw tooLarge(limit);
        // A receiver that knows the length may respond before it reads the end.
        if (bytes === this.size) this.complete = true;
        yield chunk;
      }
    } catch (error) {
      this.failure = error instanceof ApiError ? error : brokenOff(error);
      throw this.failure;
    }
    this.complete = true;
  }

  /** @throws ApiError 413 if the size is known and exceeds the limit */
  checkSize(limit = Infinity): void {
    if (this.size !== undefined && this.size > limit) throw tooLarge(limit);
  }

  close(): void {
    this.dispose();
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError(413, `the file is larger than ${limit} bytes`, {
    remediation: 'Send a smaller file: the provider does not accept larger ones.',
  });
}

function brokenOff(cause: unknown): ApiError {
  return new ApiError(400, 'the upload broke off', {
    remediation: 'Send the file again, whole.',
    cause,
  });
}
