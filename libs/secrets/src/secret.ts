import { inspect } from 'node:util';

const shown = '[secret]';

/** A text that must not be printed: every way of turning it into one gives `[secret]`, but {@link reveal}. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [Symbol.toPrimitive](): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
