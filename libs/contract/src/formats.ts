// Formats that the generated validators call by name, because a regular expression cannot check them in bounded memory.

/** Reports whether a text is base64 of RFC 4648, with or without padding. */
export function base64(text: string): boolean {
  return withoutPadding(Buffer.from(text, 'base64').toString('base64')) === withoutPadding(text);
}

function withoutPadding(text: string): string {
  return text.replace(/=+$/, '');
}
