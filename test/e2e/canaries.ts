import { randomBytes } from 'node:crypto';

const word = 'Kanari';

/** Secrets that are planted, and found wherever they come out. */
export class Canaries {
  private readonly places = new Map<string, string>();

  /** A secret that is known again; takes the rules of passwords. @param place where it is planted */
  plant(place: string): string {
    const canary = `${word}${randomBytes(12).toString('hex')}A1`;
    this.places.set(canary.slice(0, word.length + 24), place);
    return canary;
  }

  get planted(): number {
    return this.places.size;
  }

  /** Where the secrets in a text were planted: as they are, in base64, in hexadecimal; and tokens of ours. */
  foundIn(text: string): string[] {
    const found = text.match(new RegExp(`${word}[0-9a-f]{24}`, 'g')) ?? [];
    const places = found.map((canary) => this.places.get(canary) ?? canary);
    const disguised = disguises.filter((one) => text.includes(one)).map((one) => `"${one}"`);
    const tokens = (text.match(tokenForm) ?? []).map((token) => `the token ${token.slice(0, 10)}…`);
    return [...new Set([...places, ...disguised, ...tokens])];
  }
}

const tokenForm = /of[a-z]_[A-Za-z0-9_-]{43}[0-9a-f]{8}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}/g;

/** The word in base64, wherever in a text it begins, and in hexadecimal. */
const disguises = [
  ...[0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'x'.repeat(shift)}${word}`).toString('base64');
    // Without the letters that depend on what stands before and behind.
    return whole.slice(shift === 0 ? 0 : shift + 1).replace(/..?=*$/, '');
  }),
  Buffer.from(word).toString('hex'),
];
