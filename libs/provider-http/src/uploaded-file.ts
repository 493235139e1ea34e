import { ApiError } from '#contract';

/** The file that a request brings: read once, as it comes. */
export class UploadedFile {
  begun = false;
  /** Set once it was read to its end. */
  complete = false;
  /** What was wrong with the upload, not with whoever it went to. */
  failure: ApiError | undefined;

  /** @param letGo what has to be called when nobody reads on */
  constructor(
    readonly filename: string,
    readonly type: string,
    /** In bytes, where it is known beforehand. */
    readonly size: number | undefined,
    private readonly content: AsyncIterable<Uint8Array>,
    private readonly letGo: () => void,
  ) {}

  /** @param limit in bytes @throws ApiError 400 and 413 for what is wrong with the upload, which {@link failure} has too */
  async *chunks(limit = Infinity): AsyncGenerator<Uint8Array> {
    this.begun = true;
    let bytes = 0;
    try {
      for await (const chunk of this.content) {
        bytes += chunk.length;
        if (bytes > limit) throw tooLarge(limit);
        // Who was told its length may answer before its end was asked for.
        if (bytes === this.size) this.complete = true;
        yield chunk;
      }
    } catch (error) {
      this.failure = error instanceof ApiError ? error : brokenOff(error);
      throw this.failure;
    }
    this.complete = true;
  }

  /** @throws ApiError 413 when it is known beforehand to be larger */
  checkSize(limit = Infinity): void {
    if (this.size !== undefined && this.size > limit) throw tooLarge(limit);
  }

  close(): void {
    this.letGo();
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError(413, `the file is larger than ${limit} bytes`, {
    remediation: 'Send a smaller file: the provider takes no larger ones.',
  });
}

function brokenOff(cause: unknown): ApiError {
  return new ApiError(400, 'the upload broke off', {
    remediation: 'Send the file again, whole.',
    cause,
  });
}
