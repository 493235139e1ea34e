import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import { asString, type ObjectValue, setKey, type Value } from '../../language/values.js';
import { markupLibrary } from './markup-library.js';

const maxDepth = 256;

const failure = (why: string) => new RunError(`failed to parse value as XML: ${why}`);

interface Element {
  name: string;
  fields: ObjectValue;
  /** The text since the last child, in pieces. */
  pieces: string[];
  texts: string[];
}

/** Without the prefix of a namespace. */
const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** The object of an XML document: its first element by its name. The reader is lenient, as the reference's is. */
export function parseXml(text: string, cast: boolean, run: Run): ObjectValue {
  run.spend(text.length >> 2);
  const tree = new Tree(cast, run);
  const { Parser } = markupLibrary.load();
  const parser = new Parser(
    {
      onopentagname: (name) => tree.open(name),
      onattribute: (name, value) => tree.attribute(name, value),
      ontext: (piece) => tree.text(piece),
      onclosetag: () => tree.close(),
      onprocessinginstruction: (name, data) => {
        if (name.toLowerCase() === '!doctype' && data.includes('['))
          throw failure('a document type with declarations of its own is refused');
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  // Ending the parser would close what is open.
  return tree.finish();
}

class Tree {
  private readonly path: Element[] = [];
  private root: ObjectValue | undefined;

  constructor(
    private readonly cast: boolean,
    private readonly run: Run,
  ) {}

  open(name: string): void {
    if (this.root) return;
    this.run.spend(1);
    if (this.path.length >= maxDepth)
      throw failure(`elements are nested more than ${maxDepth} deep`);
    this.endText(this.path.at(-1));
    this.path.push({ name: localName(name), fields: {}, pieces: [], texts: [] });
  }

  attribute(name: string, value: string): void {
    const element = this.path.at(-1);
    if (element) setKey(element.fields, `-${localName(name)}`, this.value(value));
  }

  text(piece: string): void {
    this.path.at(-1)?.pieces.push(piece);
  }

  close(): void {
    const element = this.path.pop();
    if (!element) return;
    this.endText(element);
    const { name, fields, texts } = element;
    const text = texts.join(' ');
    const isEmpty = Object.keys(fields).length === 0;
    if (!isEmpty && text !== '') setKey(fields, '#text', this.value(text));
    const value = isEmpty ? this.value(text) : fields;
    const parent = this.path.at(-1);
    if (parent) this.add(parent.fields, name, value);
    else {
      this.root = {};
      setKey(this.root, name, value);
    }
  }

  finish(): ObjectValue {
    const open = this.path.at(-1);
    if (open) throw failure(`the element ${open.name.slice(0, 60)} has no end`);
    if (!this.root) throw failure('there is no element in it');
    return this.root;
  }

  private add(fields: ObjectValue, name: string, value: Value): void {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known === undefined) setKey(fields, name, value);
    else if (!Array.isArray(known)) setKey(fields, name, [known, value]);
    else {
      if (known.length >= this.run.limits.arrayLength) this.run.array(known.length + 1);
      known.push(value);
    }
  }

  private endText(element: Element | undefined): void {
    if (!element || element.pieces.length === 0) return;
    const text = element.pieces
      .join('')
      .replace(/^[\t\r\b\n ]+|(?<![\t\r\b\n ])[\t\r\b\n ]+$/g, '');
    if (text !== '') element.texts.push(text);
    element.pieces = [];
  }

  /** A text, or when asked for the number or bool that it writes. */
  private value(text: string): Value {
    if (!this.cast) return text;
    if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/.test(text)) return Number(text);
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    return /^(?:false|False|FALSE)$/.test(text) ? false : text;
  }
}

/** The text of a document: of bytes, by the encoding that the document declares. */
export function xmlText(target: Value): string {
  if (!(target instanceof Uint8Array)) return asString(target);
  const head = Buffer.from(target.subarray(0, 200)).toString('latin1');
  const label = /^<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(target);
  } catch {
    throw failure(`the encoding ${label} is not known`);
  }
}
