/** Longer texts are left to the methods: a walk in JavaScript pays for short ones only. */
const longest = 64;

function isShortAscii(text: string): boolean {
  if (text.length > longest) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** In lower case; undefined for texts that take more thought. */
export function fastLower(text: string): string | undefined {
  return isShortAscii(text) ? text.toLowerCase() : undefined;
}

export function fastUpper(text: string): string | undefined {
  return isShortAscii(text) ? text.toUpperCase() : undefined;
}
