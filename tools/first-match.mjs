/**
 * Returns what the first group of a pattern matches in a text, or the whole match where the pattern has no group.
 * @param {RegExp} pattern @param {string} text @throws Error with the text where nothing matches
 */
export function firstMatch(pattern, text) {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`${pattern} is missing in: ${text.slice(0, 2000)}`);
  return match[1] ?? match[0];
}
