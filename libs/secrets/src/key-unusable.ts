/** A key cannot be used. The message names it, what is wrong and what to do. */
export class KeyUnusable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'KeyUnusable';
  }
}
