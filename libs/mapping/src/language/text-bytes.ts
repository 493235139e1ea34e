/** Looking at shorter texts costs more than it is worth. */
const minLongText = 65_536;

/** Bytes that a text takes: one for each character of long ASCII, such as a file in base64, else two. */
export function textBytes(text: string): number {
  const { length } = text;
  const isAscii = length > minLongText && Buffer.byteLength(text) === length;
  return isAscii ? length : 2 * length;
}
