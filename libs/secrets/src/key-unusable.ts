/** A key cannot be used. The message names the key, the problem and the remedy. */
export class KeyUnusable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'KeyUnusable';
  }
}
