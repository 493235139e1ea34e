declare const checked: unique symbol;

/**
 * A piece of generated JavaScript. It is made of the generator's own words, numbers, and other such pieces: the type keeps the
 * text of a template out, and {@link assertGenerated} looks once more before the code is run.
 */
export type Js = string & { readonly [checked]: true };

/** Puts pieces together: js`${a} + ${b}`. */
export function js(texts: TemplateStringsArray, ...pieces: readonly (Js | number)[]): Js {
  let code = texts[0] ?? '';
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'number' && !Number.isFinite(piece))
      throw new TypeError('only finite numbers have a notation');
    code += typeof piece === 'string' ? piece : piece < 0 ? `(${piece})` : String(piece);
    code += texts[index + 1] ?? '';
  }
  return code as Js;
}

export function joined(pieces: readonly Js[], separator: ', ' | ' || ' | ' && '): Js {
  return pieces.join(separator) as Js;
}

/** A key that may stand in code between quotes: word characters only, and not `__proto__`. */
export function isWord(key: string): boolean {
  return /^[A-Za-z_]\w{0,99}$/.test(key) && key !== '__proto__';
}

/** A word in quotes; everything else is passed by reference. */
export function quoted(word: string): Js {
  if (!isWord(word)) throw new TypeError('only words may be written between quotes in code');
  return `"${word}"` as Js;
}

const token =
  /[ \n]+|"\w+"|\d+(?:\.\d+)?(?:e[+-]\d+)?|[ctvoxFSM]\d+|[A-Za-z]+|=>|\?\.|\?\?|[-+*/%<>=!&|?:;,.(){}[\]]+/y;

const words = new Set(
  `let const if else for try catch throw return break function new true false null undefined typeof instanceof
   run fuel spend holdArray holdText self at root limits stringLength arrayLength length push message main maps value trim replaceAll array call`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Reads generated code token by token. @throws TypeError for any that the generator does not write */
export function assertGenerated(code: string, helpers: readonly string[]): void {
  if (/\/[/*]/.test(code)) throw new TypeError('generated code has a comment');
  const known = new Set([...words, ...helpers]);
  token.lastIndex = 0;
  while (token.lastIndex < code.length) {
    const at = token.lastIndex;
    const [text] = token.exec(code) ?? [];
    if (text === undefined || (/^[A-Za-z]+$/.test(text) && !known.has(text)))
      throw new TypeError(
        `generated code has a word of its own at ${at}: ${text ?? code.charAt(at)}`,
      );
  }
}
