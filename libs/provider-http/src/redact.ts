import { findText, splitText } from '@onefold/mapping';
import { storableText } from '#contract';
import { formEncode } from '#oauth';

const mark = '[secret]';
export const minSecretLength = 6;

/** Replaces secrets in texts for callers and logs, in every encoding in which they are sent or may be returned. */
export class Redactor {
  private readonly secrets = new Set<string>();
  private forms: readonly string[] | undefined;

  add(secret: string): void {
    if (secret.length < minSecretLength || this.secrets.has(secret)) return;
    this.secrets.add(secret);
    this.forms = undefined;
  }

  /** Returns the text without secrets, and without what no database stores: U+0000 and halves of surrogate pairs. */
  text(text: string): string {
    return this.mask(storableText(text));
  }

  /** Returns the text without secrets, and every other character as it is: the text may stand for bytes. */
  mask(text: string): string {
    let result = text;
    for (const form of (this.forms ??= this.allForms()))
      if (findText(result, form) >= 0) result = splitText(result, form).join(mark);
    return result;
  }

  /** Longer secrets first, because one can be part of another. */
  private allForms(): string[] {
    const forms = new Set([...this.secrets].flatMap(formsOf));
    return [...forms].sort((one, other) => other.length - one.length);
  }
}

/** Encodings of a secret in addresses, forms, JSON (as several languages write it), HTML, and base64. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const bare = base64.replace(/(?<!=)=+$/, '');
  const plain = [secret, base64, bare, formEncode(secret), encodeAll(secret)];
  if (/^[A-Za-z0-9_.-]+$/.test(secret) && /^[A-Za-z0-9]+$/.test(bare)) return plain; // nothing else to escape
  const json = JSON.stringify(secret).slice(1, -1);
  const urls = [secret, base64].flatMap((text) => [
    encodeURIComponent(text),
    new URLSearchParams([['', text]]).toString().slice(1),
  ]);
  return [
    ...plain,
    Buffer.from(secret).toString('base64url'),
    ...urls,
    ...urls.map((url) => url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll(/[\u0080-\uffff]/g, escaped),
    secret.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter),
    secret.replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter),
  ];
}

/** Some clients of OAuth encode in a form what no form has to encode. */
function encodeAll(secret: string): string {
  return formEncode(secret).replaceAll(
    /[-_.~*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
