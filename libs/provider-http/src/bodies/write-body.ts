import { FormData } from 'undici';
import { Blob } from 'node:buffer';
import { formatJson, type Value } from '@onefold/mapping';

/** How a request body is written. */
export type Encoding = 'json' | 'form' | 'multipart' | 'ndjson' | 'binary' | 'stream';

export interface WrittenBody {
  body: string | Uint8Array | FormData;
  /** Absent for multipart, where undici writes the header with its boundary. */
  type?: string;
}

/** Writes a body in an encoding. @throws Error if the value does not fit the encoding */
export function writeBody(value: Value, encoding: Encoding): WrittenBody {
  switch (encoding) {
    case 'json':
      return { body: formatJson(value), type: 'application/json' };
    case 'ndjson': {
      if (!Array.isArray(value)) throw new Error('a body of ndjson must be a list');
      return {
        body: value.map((line) => `${formatJson(line)}\n`).join(''),
        type: 'application/x-ndjson',
      };
    }
    case 'form':
      return {
        body: new URLSearchParams(pairs(value)).toString(),
        type: 'application/x-www-form-urlencoded',
      };
    case 'binary':
      return { body: bytesOf(value), type: 'application/octet-stream' };
    case 'stream':
      throw new Error('the request brings no file');
    case 'multipart': {
      const form = new FormData();
      for (const [name, part] of Object.entries(objectOf(value)))
        for (const one of Array.isArray(part) ? part : [part]) append(form, name, one);
      return { body: form };
    }
  }
}

/** The parameters of an address or a form: a list repeats its name, null is left out. */
export function pairs(value: Value): [string, string][] {
  return Object.entries(objectOf(value ?? {})).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one])
      .filter((each) => each !== null && each !== undefined)
      .map((each): [string, string] => [name, textOf(each)]),
  );
}

function append(form: FormData, name: string, part: Value): void {
  if (typeof part === 'object' && part !== null && 'filename' in part) {
    const { filename, content, type } = part as Record<string, Value>;
    const options = { type: typeof type === 'string' ? type : 'application/octet-stream' };
    const blob = new Blob([bytesOf(content ?? '')], options);
    form.append(name, blob, textOf(filename ?? 'file'));
  } else if (part !== null) form.append(name, textOf(part));
}

function bytesOf(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return Buffer.from(textOf(value));
}

function objectOf(value: Value): Record<string, Value> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it must be an object of names and values');
  return value as Record<string, Value>;
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : formatJson(value).replace(/^"|"$/g, '');
}
