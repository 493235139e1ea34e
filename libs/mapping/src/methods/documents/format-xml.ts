import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import {
  isObject,
  type ObjectValue,
  sortedKeys,
  typeName,
  type Value,
} from '../../language/values.js';
import { textOf } from '../text.js';

const nameForm = /^[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*$/u;
/** Characters that XML 1.0 cannot contain. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(value: Value): string {
  return textOf(value)
    .replace(unwritable, '\ufffd')
    .replace(/[&<>"]/g, (char) => escapes[char] as string);
}

function named(name: string): string {
  if (!nameForm.test(name))
    throw new RunError(`${JSON.stringify(name.slice(0, 60))} is not a valid name in XML`);
  return name;
}

/** Writes an object as XML. Keys with a hyphen first are attributes, `#text` is the text, arrays repeat their element. */
export function formatXml(
  object: ObjectValue,
  indent: string | undefined,
  rootTag: string | undefined,
  run: Run,
): string {
  const [only, ...more] = Object.keys(object);
  // An array has no single element that could be the root.
  const bare = rootTag === undefined && only !== undefined && more.length === 0;
  const writer = new Writer(indent, run);
  if (bare && !Array.isArray(object[only])) writer.element(only, object[only], '');
  else writer.element(rootTag ?? 'doc', object, '');
  return writer.lines.join(indent === undefined ? '' : '\n');
}

class Writer {
  readonly lines: string[] = [];
  private length = 0;

  constructor(
    private readonly indent: string | undefined,
    private readonly run: Run,
  ) {}

  element(key: string, value: Value, margin: string): void {
    if (Array.isArray(value)) {
      for (const one of value as Value[]) this.element(key, one, margin);
      return;
    }
    const name = named(key);
    if (!isObject(value)) {
      this.line(margin, value === null || value === '' ? `<${name}/>` : this.simple(name, value));
      return;
    }
    const keys = sortedKeys(value);
    const attributes = keys
      .filter((one) => one.startsWith('-'))
      .map((one) => ` ${named(one.slice(1))}="${attribute(one, value[one])}"`)
      .join('');
    const inner = keys.filter((one) => !one.startsWith('-'));
    if (inner.length === 0) this.line(margin, `<${name}${attributes}/>`);
    else if (inner.length === 1 && inner[0] === '#text')
      this.line(margin, `<${name}${attributes}>${escaped(value['#text'])}</${name}>`);
    else {
      this.line(margin, `<${name}${attributes}>`);
      for (const one of inner)
        if (one === '#text') this.line(margin + (this.indent ?? ''), escaped(value[one]));
        else this.element(one, value[one], margin + (this.indent ?? ''));
      this.line(margin, `</${name}>`);
    }
  }

  private simple(name: string, value: Value): string {
    return `<${name}>${escaped(value)}</${name}>`;
  }

  private line(margin: string, text: string): void {
    this.run.spend(1);
    const added = margin.length + text.length + 1;
    this.length += added;
    // The lines before were paid for: a document of n lines takes n steps, not n times n.
    this.run.string(this.length > this.run.limits.stringLength ? this.length : added);
    this.lines.push(margin + text);
  }
}

function attribute(key: string, value: Value): string {
  if (value === null || typeof value === 'symbol' || Array.isArray(value) || isObject(value))
    throw new RunError(
      `invalid attribute value for: ${key.slice(0, 60)}, which is ${typeName(value)}`,
    );
  return escaped(value);
}
