import { pipeline, Readable } from 'node:stream';
import busboy from 'busboy';
import { ApiError, badRequest, type Call, type Upload } from '#contract';
import { UploadedFile } from '#provider-http';

const part = 'file';
const anyType = 'application/octet-stream';
export const limits = { files: 1, fields: 20, fieldSize: 65_536, parts: 21 };
const maxNameLength = 255;

/** Reads an upload up to the beginning of its file: the part `file` of multipart/form-data, or the body of application/octet-stream. */
export async function openUpload(call: Pick<Call, 'upload' | 'path'>): Promise<UploadedFile> {
  const { upload } = call;
  if (upload === undefined) throw missing();
  const type = upload.contentType.split(';')[0]?.trim().toLowerCase();
  const source = Readable.from(upload.body, { objectMode: false });
  source.on('error', () => undefined); // its reader gets the error
  if (type === 'multipart/form-data') return await multipart(upload, source, nameIn(call.path));
  if (type === anyType)
    return new UploadedFile(nameIn(call.path), anyType, upload.length, source, () =>
      source.destroy(),
    );
  throw new ApiError(415, `the content type ${type === '' ? '(none)' : type} is not supported`, {
    remediation: `Send multipart/form-data with the part "${part}", or ${anyType}.`,
  });
}

function multipart(upload: Upload, source: Readable, defaultName: string): Promise<UploadedFile> {
  const parser = parserOf(upload);
  const dispose = () => source.destroy();
  return new Promise((settle, fail) => {
    let wrong: ApiError | undefined;
    const refuse = (error: ApiError) => {
      wrong ??= error;
      fail(wrong);
      parser.destroy(wrong);
    };
    // The upload is complete once the rest of the body after the file has arrived.
    const parsed = new Promise<void>((done, broken) => {
      pipeline(source, parser, (error) => {
        if (error) broken(wrong ?? malformed(error));
        else done();
        fail(wrong ?? (error ? malformed(error) : missing()));
      });
    });
    parsed.catch(() => undefined);
    parser.on('file', (name, content, { filename, mimeType }) => {
      content.on('error', () => undefined); // its reader gets the error
      if (name !== part) {
        content.resume();
        refuse(unknownPart(name));
        return;
      }
      const named = filename === undefined || filename === '' ? defaultName : filename;
      const whole = untilParsed(content, parsed, () => wrong);
      settle(new UploadedFile(named.slice(0, maxNameLength), mimeType, undefined, whole, dispose));
    });
    parser.on('filesLimit', () => refuse(secondFile()));
    parser.on('fieldsLimit', () => refuse(tooManyFields()));
  });
}

function parserOf({ contentType }: Upload): busboy.Busboy {
  try {
    const headers = { 'content-type': contentType };
    return busboy({ headers, defParamCharset: 'utf8', limits });
  } catch (cause) {
    throw malformed(cause);
  }
}

async function* untilParsed(
  content: Readable,
  parsed: Promise<void>,
  wrong: () => ApiError | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw wrong() ?? malformed(error);
  }
  await parsed;
}

/** Names a file without a name by the end of the last path parameter. */
function nameIn(path: object): string {
  const last = Object.values(path).at(-1) as unknown;
  const name = typeof last === 'string' ? last.split('/').at(-1) : undefined;
  return (name === undefined || name === '' ? part : name).slice(0, maxNameLength);
}

function missing(): ApiError {
  return badRequest({
    location: 'body',
    pointer: `/${part}`,
    message: 'is required',
    remediation: `Send multipart/form-data with the part "${part}".`,
  });
}

function unknownPart(name: string): ApiError {
  return badRequest({
    location: 'body',
    pointer: `/${name}`.slice(0, 100),
    message: 'is a file, which the operation does not accept',
    remediation: `Send one file, as the part "${part}".`,
  });
}

function tooManyFields(): ApiError {
  return badRequest({
    location: 'body',
    pointer: '',
    message: `has more than ${limits.fields} fields`,
    remediation: `Send the file alone, as the part "${part}".`,
  });
}

function secondFile(): ApiError {
  return badRequest({
    location: 'body',
    pointer: `/${part}`,
    message: 'occurs twice',
    remediation: 'Send one file in each request.',
  });
}

function malformed(cause: unknown): ApiError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ApiError(400, `the body is not multipart/form-data: ${why}`, {
    remediation: `Send the whole body, with the boundary that content-type names.`,
    cause,
  });
}
