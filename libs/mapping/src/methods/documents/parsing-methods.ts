import { findText } from '../../language/find-text.js';
import { formatJson, parseJson } from '../../language/json.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { asString, type ObjectValue, setKey, type Value } from '../../language/values.js';
import { textOf, wellFormed } from '../text.js';
import { deep } from '../costs.js';

/** Steps of a field that is read. */
const fieldSteps = 4;

/** Finds the next of a text from places that only go on, so that no part is searched twice; its length where there is none. */
function finder(text: string, wanted: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    const at = findText(text, wanted, from);
    found = at < 0 ? text.length : at;
    return found;
  };
}

function parseCsv(text: string, delimiter: string, lazy: boolean, run: Run): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const body = text.replaceAll('\r\n', '\n');
  const nextDelimiter = finder(body, delimiter);
  const nextLine = finder(body, '\n');
  while (at < body.length) {
    run.spend(fieldSteps);
    if (row.length >= run.limits.arrayLength) run.array(row.length + 1);
    let field = '';
    if (body[at] === '"') {
      at += 1;
      for (;;) {
        const end = body.indexOf('"', at);
        if (end < 0) {
          if (!lazy) throw new RunError('parse error: a quoted field has no end');
          field += body.slice(at);
          at = body.length;
          break;
        }
        field += body.slice(at, end);
        at = end + 1;
        if (body[at] === '"') field += '"';
        else if (at >= body.length || body.startsWith(delimiter, at) || body[at] === '\n') break;
        else if (lazy) field += `"${body[at] ?? ''}`;
        else throw new RunError('parse error: extraneous or missing " in quoted-field');
        at += 1;
      }
    } else {
      const end = Math.min(nextDelimiter(at), nextLine(at));
      field = body.slice(at, end);
      if (!lazy && field.includes('"'))
        throw new RunError('parse error: bare " in non-quoted-field');
      at = end;
    }
    row.push(field);
    if (body.startsWith(delimiter, at) && at < body.length) {
      at += delimiter.length;
      if (at < body.length) continue;
      row.push('');
    } else at += 1;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

function csv(target: Value, header: boolean, delimiter: string, lazy: boolean, run: Run): Value {
  if ([...delimiter].length !== 1)
    throw new RunError('delimiter value must be exactly one character');
  const rows = parseCsv(asString(target), delimiter, lazy, run);
  run.array(rows.length);
  const [first = []] = rows;
  for (const row of rows)
    if (row.length !== first.length) throw new RunError('parse error: wrong number of fields');
  if (!header) return rows;
  return rows.slice(1).map((row) => {
    const record: ObjectValue = {};
    for (const [index, name] of first.entries()) setKey(record, name, row[index]);
    return record;
  });
}

function formUrlEncoded(text: string, run: Run): ObjectValue {
  const result: ObjectValue = {};
  for (const [key, value] of formPairs(text)) {
    run.spend(fieldSteps);
    const known = Object.hasOwn(result, key) ? result[key] : undefined;
    if (Array.isArray(known)) {
      if (known.length >= run.limits.arrayLength) run.array(known.length + 1);
      known.push(value);
    } else setKey(result, key, known === undefined ? value : [known, value]);
  }
  return result;
}

/** Keys and values one by one: all of them at once would take much more memory than the text. */
function* formPairs(text: string): Generator<[key: string, value: string]> {
  const body = text.startsWith('?') ? text.slice(1) : text;
  for (let at = 0; at < body.length;) {
    const next = body.indexOf('&', at);
    const end = next < 0 ? body.length : next;
    const pair = body.slice(at, end);
    at = end + 1;
    if (pair === '') continue;
    if (/[%+\ud800-\udfff]/.test(pair)) yield* new URLSearchParams(pair);
    else {
      const [key, value = ''] = cut(pair, '=');
      yield [key, value];
    }
  }
}

/** Cuts a text at a sign; the second part is undefined if the sign is missing. */
function cut(text: string, sign: string): [before: string, behind: string | undefined] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + sign.length)];
}

const logfmtKey = /[\s=]*([^\s=]+)/y;
const logfmtQuoted = /="([^"\\]*(?:\\.[^"\\]*)*)"/y;
const logfmtBare = /=(\S*)/y;

const logfmtEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
  "'": "'",
};

/** A quoted value has the escapes of JSON; a backslash before any other letter is itself, as in paths of Windows. */
function unquoteLogfmt(text: string): string {
  return text.replace(
    /\\(?:u([\da-fA-F]{4})|([^u])|u)/gs,
    (whole, code?: string, letter?: string) =>
      code === undefined
        ? ((letter === undefined ? undefined : logfmtEscapes[letter]) ?? whole)
        : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function logfmt(text: string, run: Run): ObjectValue {
  const result: ObjectValue = {};
  let at = 0;
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found) at = form.lastIndex;
    return found?.[1];
  };
  for (let key = take(logfmtKey); key !== undefined; key = take(logfmtKey)) {
    run.spend(fieldSteps);
    const quoted = take(logfmtQuoted);
    if (quoted === undefined && text.startsWith('="', at))
      throw new RunError(`logfmt: unterminated quoted value for key ${JSON.stringify(key)}`);
    setKey(
      result,
      key,
      (quoted === undefined ? undefined : unquoteLogfmt(quoted)) ?? take(logfmtBare) ?? true,
    );
  }
  return result;
}

function url(text: string): ObjectValue {
  const [, scheme = '', rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? [];
  const [beforeFragment, rawFragment = ''] = cut(rest, '#');
  const [beforeQuery, query = ''] = cut(beforeFragment, '?');
  const [, authority, path = ''] = /^(?:\/\/([^/]*))?(.*)$/s.exec(beforeQuery) ?? [];
  const opaque = scheme !== '' && authority === undefined && !path.startsWith('/');
  const at = authority?.lastIndexOf('@') ?? -1;
  const decode = (part: string) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw new RunError(`invalid URL escape in ${JSON.stringify(text.slice(0, 60))}`);
    }
  };
  const result: ObjectValue = {
    scheme: scheme.toLowerCase(),
    opaque: opaque ? path : '',
    host: authority?.slice(at + 1) ?? '',
    path: opaque ? '' : decode(path),
    raw_path: !opaque && encodeURI(wellFormed(decode(path))) !== path ? path : '',
    raw_query: query,
    fragment: decode(rawFragment),
    raw_fragment: decode(rawFragment) === rawFragment ? '' : rawFragment,
  };
  if (authority !== undefined && at >= 0) {
    const [name, password] = cut(authority.slice(0, at), ':');
    result['user'] = {
      name: decode(name),
      ...(password === undefined ? {} : { password: decode(password) }),
    };
  }
  return result;
}

export const parsingMethods: readonly Method[] = [
  {
    name: 'parse_json',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 30, steps: 60, own: 'size' },
    description: 'The value of a JSON text.',
    parameters: [{ name: 'use_number', type: 'bool', optional: true }],
    examples: [['root = this.parse_json().a', '"{\\"a\\":1}"', '1']],
    run: (target) => {
      const text = asString(target);
      try {
        return parseJson(text);
      } catch (error) {
        throw new RunError(`failed to parse value as JSON: ${(error as Error).message}`);
      }
    },
  },
  {
    name: 'format_json',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, own: 'size' },
    description: 'The value as JSON, in bytes.',
    parameters: [
      { name: 'indent', type: 'string', default: '    ' },
      { name: 'no_indent', type: 'bool', default: false },
      { name: 'escape_html', type: 'bool', default: true },
    ],
    examples: [
      [
        'root = this.format_json(no_indent: true).string()',
        '{"b":1,"a":2}',
        '"{\\"a\\":2,\\"b\\":1}"',
      ],
    ],
    run: (target, [indent, none, escapeHtml], run) => {
      const text = formatJson(target, {
        indent: none === true ? '' : textOf(indent).slice(0, 32),
        escapeHtml: escapeHtml === true,
      });
      run.string(text.length);
      return Buffer.from(text);
    },
  },
  {
    name: 'parse_csv',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 30, own: 'size' },
    description: 'The records of a CSV text.',
    parameters: [
      { name: 'parse_header_row', type: 'bool', default: true },
      { name: 'delimiter', type: 'string', default: ',' },
      { name: 'lazy_quotes', type: 'bool', default: false },
    ],
    examples: [['root = this.parse_csv()', '"a,b\\n1,2"', '[{"a":"1","b":"2"}]']],
    run: (target, [header, delimiter, lazy], run) =>
      csv(target, header === true, textOf(delimiter), lazy === true, run),
  },
  {
    name: 'parse_form_url_encoded',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 60, steps: 10, own: 'size' },
    description: 'The fields of a URL query.',
    examples: [
      [
        'root = this.parse_form_url_encoded()',
        '"noise=meow&animal=cat&fur=orange&fur=fluffy"',
        '{"animal":"cat","fur":["orange","fluffy"],"noise":"meow"}',
      ],
    ],
    run: (target, _args, run) => formUrlEncoded(asString(target), run),
  },
  {
    name: 'parse_logfmt',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 60, steps: 10, own: 'size' },
    description: 'The fields of a logfmt line.',
    examples: [
      [
        'root = this.parse_logfmt()',
        '"level=info msg=\\"hello world\\" retry"',
        '{"level":"info","msg":"hello world","retry":true}',
      ],
    ],
    run: (target, _args, run) => logfmt(asString(target), run),
  },
  {
    name: 'parse_url',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 60, steps: 10 },
    description: 'The parts of a URL.',
    examples: [
      [
        'root = this.parse_url().with("scheme", "host", "path", "user")',
        '"http://ann:x@foo.com/bar?a=1"',
        '{"host":"foo.com","path":"/bar","scheme":"http","user":{"name":"ann","password":"x"}}',
      ],
    ],
    run: (target) => url(asString(target)),
  },
];
