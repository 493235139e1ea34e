import { inspect } from 'node:util';

const placeholder = '[secret]';

/** A text that must not be printed: every conversion except {@link reveal} returns `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  [Symbol.toPrimitive](): string {
    return placeholder;
  }

  [inspect.custom](): string {
    return placeholder;
  }
}
