import { describe, expect, it } from '@jest/globals';
import { Redactor } from './redact.js';

describe('secrets', () => {
  it('are taken out of what is shown, in every form they are sent in', () => {
    const redactor = new Redactor();
    redactor.add('s3cr&t "key"');
    const basic = Buffer.from('s3cr&t "key"').toString('base64');
    const text = `a s3cr&t "key" b s3cr%26t%20%22key%22 c s3cr&t \\"key\\" d ${basic}`;
    expect(redactor.text(text)).toBe('a [secret] b [secret] c [secret] d [secret]');
  });

  it.each([
    ['a form', (secret: string) => new URLSearchParams({ key: secret }).toString()],
    ['an address', (secret: string) => `/x?key=${encodeURIComponent(secret)}`],
    [
      'a client of OAuth',
      (secret: string) =>
        encodeURIComponent(secret).replace(
          /[-_.!~*'()]/g,
          (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
        ),
    ],
    ['an address in small letters', (secret: string) => encodeURIComponent(secret).toLowerCase()],
    ['JSON of PHP', (secret: string) => JSON.stringify(secret).replaceAll('/', '\\/')],
    ['JSON of Python', (secret: string) => JSON.stringify(secret).replace('é', '\\u00e9')],
    [
      'HTML',
      (secret: string) =>
        secret
          .replace('&', '&amp;')
          .replace('<', '&lt;')
          .replace('>', '&gt;')
          .replace("'", '&#39;'),
    ],
    ['base64', (secret: string) => Buffer.from(secret).toString('base64')],
    ['base64 of addresses', (secret: string) => Buffer.from(secret).toString('base64url')],
    [
      'base64 in a form',
      (secret: string) => encodeURIComponent(Buffer.from(secret).toString('base64')),
    ],
  ])('are not shown in %s', (_where, write) => {
    const secret = "k!y~/é&<5>'*()?x";
    const redactor = new Redactor();
    redactor.add(secret);
    const shown = redactor.text(`before ${write(secret)} after`);
    expect(shown).toMatch(/^before .*\[secret\].* after$/);
    expect(shown).not.toMatch(/k!y|5&gt|a3|ayF5/i);
  });
});
