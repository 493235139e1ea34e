import { randomBytes } from 'node:crypto';

const word = 'Kanari';

/** Secrets that are planted, and found wherever they are shown. */
export class Canaries {
  private readonly places = new Map<string, string>();

  /** Creates a recognizable secret that is a valid password. @param place place where it is planted */
  plant(place: string): string {
    const canary = `${word}${randomBytes(12).toString('hex')}A1`;
    this.places.set(canary.slice(0, word.length + 24), place);
    return canary;
  }

  get planted(): number {
    return this.places.size;
  }

  /** Finds planted secrets in a text: in plain text, base64 and hexadecimal, and our own tokens. */
  foundIn(text: string): string[] {
    const found = text.match(new RegExp(`${word}[0-9a-f]{24}`, 'g')) ?? [];
    const places = found.map((canary) => this.places.get(canary) ?? canary);
    const disguised = disguises.filter((one) => text.includes(one)).map((one) => `"${one}"`);
    const tokens = (text.match(tokenForm) ?? []).map((token) => `the token ${token.slice(0, 10)}…`);
    return [...new Set([...places, ...disguised, ...tokens])];
  }
}

const tokenForm = /of[a-z]_[A-Za-z0-9_-]{43}[0-9a-f]{8}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}/g;

/** Returns the word in base64, at every offset, and in hexadecimal. */
const disguises = [
  ...[0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'x'.repeat(shift)}${word}`).toString('base64');
    // Without the characters that depend on the text before and after.
    return whole.slice(shift === 0 ? 0 : shift + 1).replace(/..?=*$/, '');
  }),
  Buffer.from(word).toString('hex'),
];

/** Forms of the word, of which every planted secret has one wherever it is stored. */
export const canaryForms: readonly string[] = [word, ...disguises];
