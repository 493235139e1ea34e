import type { ManagementSchemas } from '#contract';

type RecordedBody = ManagementSchemas['RecordedBody'];

/** Maximum number of characters of one body. */
export const maxBody = 262_144;
/** Characters that are kept beyond those that are shown: a secret that begins among those is whole, so that it is found. */
const margin = 65_536;

/** A text of which the beginning is kept, until the secrets in it are known. */
export interface KeptText {
  text: string;
  /** Maximum number of characters to show. */
  max: number;
  /** Number of characters of the whole text, or of bytes of other content. */
  size: number;
}

/** @param max how many characters are shown */
export function keepText(text: string, max: number): KeptText {
  const size = text.length;
  if (max <= 0) return { text: '', max: 0, size };
  // A slice would keep the whole text in memory.
  if (size > max + margin) text = Buffer.from(text.slice(0, max + margin)).toString();
  return { text, max, size };
}

/** Returns the text without secrets, cut. @param hide removes secrets */
export function showText(
  { text, max, size }: KeptText,
  hide: (text: string) => string,
): RecordedBody {
  const hidden = hide(text);
  const isWhole = text.length >= size;
  // The end may be the beginning of a secret, if the text goes on behind it.
  const end = isWhole ? max : Math.max(0, Math.min(max, hidden.length - margin));
  const shown = hidden.slice(0, end);
  return { text: shown, omitted: isWhole ? hidden.length - shown.length : size - shown.length };
}
