/** Milliseconds of processor time below which no growth is looked for: the noise of a machine with other work is as large. */
const minMs = 40;
const looks = 3;
/** The longer of two inputs is so many times the shorter. */
const factor = 4;
/** Linear work takes four times as long, quadratic work sixteen times. */
const maxGrowth = 11;

/**
 * Measures whether work grows faster than its input: by the time for an input of the given length, and for one of a quarter of it, in the
 * same process. @returns a description of what grows too fast; undefined if nothing does
 */
export function findGrowth(work: (length: number) => () => unknown, length: number) {
  const long = lowestTime(work(length));
  if (long < minMs) return undefined;
  const short = lowestTime(work(length / factor));
  const growth = long / Math.max(short, 0.1);
  if (growth <= maxGrowth) return undefined;
  return `${Math.round(long)} ms, ${growth.toFixed(1)} times as long as for a quarter`;
}

function lowestTime(run: () => unknown): number {
  let lowest = Infinity;
  for (let look = 0; look < looks && lowest > minMs; look += 1) {
    const begun = process.cpuUsage();
    try {
      run();
    } catch {
      // Refusing takes time too.
    }
    const { user, system } = process.cpuUsage(begun);
    lowest = Math.min(lowest, (user + system) / 1_000);
    if (lowest > 2_000) break; // no noise
  }
  return lowest;
}

/** Texts that make careless searches slow, at a length. */
export const shapes: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    [
      '=',
      '0',
      '/',
      '-',
      '_',
      ' ',
      '\n',
      '\t',
      '.',
      ';',
      '"',
      '\\',
      '%',
      '&',
      '<',
      '[',
      '{',
      '(',
      ',',
    ].map((letter) => [`${JSON.stringify(letter)} and a letter`, (n) => `${letter.repeat(n)}A`]),
  ),
  'a number of many digits': (n) => `1${'0'.repeat(n)}`,
  'a letter and digits': (n) => `A${'0'.repeat(n)}.`,
  'percent and zeros': (n) => `%${'0'.repeat(n)}`,
  'upper case and a bracket': (n) => `${'A'.repeat(n)} (1)`,
  'open quotes with escapes': (n) => '"\\'.repeat(n / 2),
  'escaped quotes': (n) => `"${'\\"'.repeat(n / 2)}`,
  'elements without an end': (n) => '<a>'.repeat(n / 3),
  'attributes without an end': (n) => `<a ${'b="'.repeat(n / 3)}`,
  'comments without an end': (n) => '<!--'.repeat(n / 4),
  'data without an end': (n) => '<![CDATA['.repeat(n / 9),
  'entities without an end': (n) => '&a'.repeat(n / 2),
  'open brackets and braces': (n) => '[{'.repeat(n / 2),
  'keys and colons': (n) => 'a: '.repeat(n / 3),
  'words and dots': (n) => 'a.'.repeat(n / 2),
  'words and blanks': (n) => 'a '.repeat(n / 2),
  'lines and blanks': (n) => ' \n'.repeat(n / 2),
  'letters with marks': (n) => `a${'\u0301'.repeat(n - 1)}`,
  surrogates: (n) => '\ud83d'.repeat(n),
  'certificates that do not end': (n) => '-----BEGIN CERTIFICATE-----A'.repeat(n / 28),
  'marks of long numbers': (n) =>
    `[12345678901234567890${Array.from({ length: n / 10 }, (_, at) => `,"int${at}:"`).join('')}]`,
  'a period and a break': (n) => `${'ab'.repeat(n / 4)}c${'ab'.repeat(n / 4)}`,
};

/** Finds the shapes for which a function of a text takes longer than the text is long. */
export function slowShapes(read: (text: string) => unknown, length: number): string[] {
  return Object.entries(shapes).flatMap(([name, make]) => {
    const growth = findGrowth((n) => {
      const text = make(n);
      return () => read(text);
    }, length);
    return growth === undefined ? [] : [`${name}: ${growth}`];
  });
}
