/** U+0000, and halves of surrogate pairs without the other: no database stores them, and third parties send them. */
const unstorable = /\0|\p{Cs}/gu;

/** Returns a text of a third party as it can be stored: with U+FFFD for what cannot. */
export function storableText(text: string): string {
  return text.replaceAll(unstorable, '\ufffd');
}
