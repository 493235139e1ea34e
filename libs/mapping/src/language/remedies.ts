/** Methods of JavaScript, jq and JSONata whose names this language does not have, and what is written instead. */
const otherMethods: Readonly<Record<string, string>> = {
  toLowerCase: '.lowercase()',
  toUpperCase: '.uppercase()',
  toString: '.string()',
  toFixed: '.round(), or "%.2f".format(…)',
  toISOString: '.ts_format("2006-01-02T15:04:05Z07:00")',
  startsWith: '.has_prefix("…")',
  endsWith: '.has_suffix("…")',
  includes: '.contains("…")',
  indexOf: '.index_of("…")',
  replaceAll: '.replace_all("…", "…")',
  substring: '.slice(low, high)',
  substr: '.slice(low, high)',
  charAt: '.slice(low, high)',
  trimStart: '.re_replace("^\\\\s+", "")',
  trimEnd: '.re_replace("\\\\s+$", "")',
  padStart: '"%5d".format(…)',
  hasOwnProperty: '.exists("…")',
  flatMap: '.map_each(x -> …).flatten()',
  forEach: '.map_each(x -> …)',
  reduce: '.fold(0, item -> item.tally + item.value)',
  push: '.append(…)',
  some: '.any(x -> …)',
  every: '.all(x -> …)',
  findIndex: '.find_by(x -> …)',
  stringify: '.format_json()',
  parse: '.parse_json()',
  ascii_downcase: '.lowercase()',
  ascii_upcase: '.uppercase()',
  startswith: '.has_prefix("…")',
  endswith: '.has_suffix("…")',
  ltrimstr: '.trim_prefix("…")',
  rtrimstr: '.trim_suffix("…")',
  tostring: '.string()',
  tonumber: '.number()',
  tojson: '.format_json()',
  fromjson: '.parse_json()',
  to_entries: '.key_values()',
  select: '.filter(x -> …)',
  test: '.re_match("…")',
  gsub: '.re_replace_all("…", "…")',
  add: '.sum()',
  has: '.exists("…")',
  lowercase: '.lowercase()',
  uppercase: '.uppercase()',
  count: '.length()',
  exists: '.exists("…")',
  string: '.string()',
  number: '.number()',
  keys: '.keys()',
  split: '.split("…")',
  join: '.join("…")',
  substringBefore: '.split("…").index(0)',
  now: 'now()',
  map: '.map_each(x -> …)',
};

/** The remedy for the name of a method or function that another language has; undefined for other names. */
export function remedyForName(name: string): string | undefined {
  return Object.hasOwn(otherMethods, name) ? `Write ${otherMethods[name]}.` : undefined;
}

type Remedy = (after: string, before: string) => string | undefined;

const when =
  (after: RegExp, hint: string, before?: RegExp): Remedy =>
  (rest, line) =>
    after.test(rest) && (before?.test(line) ?? true) ? hint : undefined;

/** Remedies for the words and signs of other languages, by the text where a template stops to be ours; the first that fits is told. */
const remedies: readonly Remedy[] = [
  (rest, line) => {
    const name = rest.startsWith('(') ? /[.$]([A-Za-z]\w*)$/.exec(line)?.[1] : undefined;
    return name === undefined ? undefined : remedyForName(name);
  },
  when(/^./, 'The type of a value is written x.type().', /\btypeof\s+$/),
  when(/^./, 'Times are read by .ts_parse("…"); the present is now().', /\bnew\s+$/),
  when(/^./, 'Not is written !this.a.', /\bnot\s+$/),
  when(/^./, 'Cases are written match this.a { "x" => 1, _ => 2 }.', /^\s*switch\s*$/),
  when(/^./, 'A failure is taken by .catch(…) behind the expression.', /^\s*try\s+$/),
  when(/^./, 'A field is removed by root.a = deleted().', /^\s*delete\s+$/),
  when(
    /^./,
    'A template of its own is written map name { … }, and is used by .apply("name").',
    /^\s*(?:function|def)\s+$/,
  ),
  when(/^,\s*\w+\)\s*[-=]>/, 'A lambda has one parameter: x -> …; .enumerated() has indexes.'),
  when(
    /^\(/,
    'The names of methods and functions are lower case, such as has_prefix.',
    /(?<!\w)[a-z_0-9]*[A-Z]\w*$/,
  ),
  when(/^\(/, 'A function of JSONata is a method here: x.uppercase().', /\$\w+$/),
  when(/^\[\s*["']/, 'A field with an odd name is written this."the name".'),
  when(/^\[\s*(?:-?\d+\s*)?:/, 'A part of a list is written .slice(low, high).'),
  when(/^\[\s*[\w.$]+\s*[=!<>]/, 'Elements are chosen by .filter(x -> x.a == 1).'),
  when(/^\[\s*[$A-Za-z]/, 'A field whose name is computed is read by .get(…).'),
  when(/^\[\s*-/, 'An element from the end is written .index(-1).'),
  when(/^\[\s*\]/, 'Every element is read by .map_each(x -> …).'),
  when(/^\[/, 'An element is written items.0 or items.index(0).'),
  when(/^\?\?/, 'Another value for null is written a | b.'),
  when(/^\?\./, 'Write a dot alone: a path through null is null.'),
  when(/^\?/, 'A choice is written if a { b } else { c }.'),
  when(/^'/, 'Texts stand in double quotes: "text".'),
  when(/^`/, 'Texts stand in double quotes, and are joined by +.'),
  when(/^\/\s*(?:["\d[]|null)/, 'Another value for null is written a | b.', /\/$/),
  when(/^\/[^/*]/, 'A regular expression is a text: .re_match("…").', /\($/),
  when(/^\\\((?:this|\.|\$)/, 'Texts are joined by +, or made by "%s".format(…).'),
  when(
    /^\\[^nrt"'\\ux0-9]/,
    'A backslash of a regular expression is written twice, "\\\\d", or in """\\d""".',
  ),
  when(/^\/[/*]/, 'A comment begins with #.'),
  when(/^[/*]/, 'A comment begins with #.', /\/$/),
  when(/^;/, 'A statement ends with its line, without a semicolon.'),
  when(/^==?/, 'Unequal is written !=.', /!=\s*$/),
  when(/^=(?!=)/, 'Equal is written ==.', /==\s*$/),
  when(
    /^=/,
    'An assignment has one =; a condition stands in if a == b { … }.',
    /^\s*[\w."]+\s*=\s*$/,
  ),
  when(/^=/, 'Write the field twice: root.a = root.a + 1.', /[+\-*/|]$/),
  when(/^[+-]\s*(?:\n|$)/, 'Write the field twice: root.a = root.a + 1.', /[+-]$/),
  when(/^=>/, 'A lambda is written x -> ….'),
  when(/^=(?![=>])/, 'Equal is written ==.', /\bif\b[^{]*$/),
  when(/^[+\-*/|]=/, 'Write the field twice: root.a = root.a + 1.'),
  when(/^[+\-*/|]/, 'Write the field twice: root.a = root.a + 1.', /^\s*root[\w.]*\s*$/),
  when(/^if\b/, 'The value stands in the condition: root.a = if this.b { 1 }.'),
  when(
    /^./,
    'A list is walked by .map_each(x -> …), .filter(x -> …) or .fold(…).',
    /^\s*(?:for|foreach|while)\s*\(?$/,
  ),
  when(/^then\b/, 'A choice is written if a { b } else { c }.'),
  when(/^in\b/, 'Whether something is in a list or text is written this.a.contains(…).'),
  when(/^as\s+\$/, 'A variable is made by let name = ….'),
  when(/^:=/, 'A field is assigned by root.name = …, a variable by let name = ….'),
  when(/^:/, 'A field is assigned by root.name = …, with blanks around =.', /^\s*[\w.]+\s*$/),
  when(/^=(?![=>])/, 'Equal is written ==.', /^\s*(?:let\s+)?[\w."]+ = .+$/),
  when(/^\^/, 'A list is ordered by .sort_by(x -> x.a).'),
  when(/^~>/, 'Methods follow each other behind dots: this.a.uppercase().'),
  when(
    /^(?:\.\.(?!\.)|\*\*)/,
    'Nothing searches at every depth: write the path, such as this.a.b.',
  ),
  when(/^->/, 'A case of match is written "x" => value.'),
  when(/^and\b/, 'And is written &&.'),
  when(/^or\b/, 'Or is written ||, and another value for null a | b.'),
  when(/^&(?!&)/, 'Texts are joined by +.'),
  when(/^\.\.\./, 'Objects are joined by a.merge(b) or a.assign(b), lists by a.concat(b).'),
  when(/^\.\w/, 'Fields of the input are written this.name.', /(?:^|[\s(,=|])$/),
  when(/^(?:$|[.\s),])/, 'The input is `this`; $name reads what `let name = …` has stored.', /\$$/),
  when(/^./, 'A variable is made by let name = ….', /^\s*(?:const|var|local)\s+$/),
  when(/^./, 'The last value of root is the result; nothing is returned.', /^\s*return\s+$/),
  when(/^(?:elif|elsif|elseif)\b/, 'Another condition is written else if.'),
];

const goesOn =
  'An expression goes on behind a dot or operator at the end of its line, not before one.';
const noStatement =
  'A template has a statement on each line, such as root.a = this.b; a query is an expression, such as this.b.';

/** The remedies look at so many characters before the place: they try every one of them. */
const maxLineLength = 200;

/** The line up to a place. The beginning of a long one is cut off, and a sign takes its place, so that it is not taken for the beginning of a line. */
function lineBefore(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const isLong = at - start > maxLineLength;
  return isLong ? `…${text.slice(at - maxLineLength, at)}` : text.slice(start, at);
}

/** The remedy for what stands at a place of a template that the grammar does not know; undefined for what nobody is known to write. */
export function remedyAt(text: string, at: number): string | undefined {
  const before = lineBefore(text, at);
  const after = text.slice(at, at + 40);
  const isBelow = before.trim() === '' && text.slice(0, at).trim() !== '';
  if (isBelow && /^(?:\.\w|[+\-*%|]|&&|\/ |==)/.test(after)) return goesOn;
  for (const remedy of remedies) {
    const hint = remedy(after, before);
    if (hint !== undefined) return hint;
  }
  return text.slice(0, at).replaceAll(/#.*/g, '').trim() === '' && after.trim() === ''
    ? noStatement
    : undefined;
}

/** A value of each type that a field without one often gets. */
const emptyValues: Readonly<Record<string, string>> = {
  string: '""',
  number: '0',
  bool: 'false',
  array: '[]',
  object: '{}',
};

const aboutNull =
  /\bexpected (\w+)(?: value)?, got null\b|\btypes (?:null and (\w+)|(\w+) and null)\b/;

/** The remedy for a failure on null, by its reason; undefined for other failures. */
export function remedyForNull(reason: string): string | undefined {
  if (reason.endsWith('non-boolean value (null)')) return remedyOf('bool');
  const [found, ...types] = aboutNull.exec(reason) ?? [];
  if (found === undefined) return undefined;
  const type = types.find((one) => one !== undefined) ?? '';
  return remedyOf(type);
}

function remedyOf(type: string): string {
  return `Another value for null is written .or(${emptyValues[type] ?? '…'}).`;
}
