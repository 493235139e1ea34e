import { isWord, joined, type Js, js, quoted } from './javascript.js';

/** Code in the order it runs; patches get their text when it is known. */
export type Lines = (Js | Patch | Lines)[];

export interface Patch {
  code: Js;
}

/** Where a failure goes that a template catches in the same function: out of a labelled block instead of through a throw. */
export interface Handler {
  label: Js;
  /** Takes the message, when somebody wants it. */
  message: Js | undefined;
  exits: { patch: Patch; pending: number }[];
}

/** Thrown for templates that stay with the closures. */
export class NotGenerated extends Error {}

const maxLines = 20_000;

/**
 * Writes code, and keeps account of two things on the way. Fuel: what the code spends is known while it is written, so it is paid
 * for in one subtraction before whatever may look at it. Failures: whether the code can fail, and where to.
 */
export class Emitter {
  readonly constants: unknown[] = [];
  private readonly places = new Map<unknown, number>();
  private lines: Lines = [];
  private declared: Js[] = [];
  private names = 0;
  private written = 0;
  /** Fuel that was spent and not yet subtracted. */
  pending = 0;
  /** Whether something since this was last cleared may throw a RunError. */
  throws = false;
  handler: Handler | undefined;

  emit(code: Js): void {
    this.written += 1;
    if (this.written > maxLines) throw new NotGenerated('the template is too long');
    this.lines.push(code);
  }

  insert(lines: Lines): void {
    this.lines.push(lines);
  }

  /** Collects the lines that are written meanwhile, to insert them elsewhere. */
  block(write: () => void): Lines {
    const outer = this.lines;
    const inner: Lines = [];
    this.lines = inner;
    try {
      write();
    } finally {
      this.lines = outer;
    }
    return inner;
  }

  name(kind: 't' | 'v' | 'o' | 'x' | 'F' | 'S' | 'M'): Js {
    this.names += 1;
    return `${kind}${this.names}` as Js;
  }

  /** A variable of the function that is being written. */
  declare(kind: 't' | 'v' | 'o' = 't'): Js {
    const name = this.name(kind);
    this.declared.push(name);
    return name;
  }

  temporary(code: Js): Js {
    const name = this.declare();
    this.emit(js`${name} = ${code};`);
    return name;
  }

  /** A value by reference. */
  constant(value: unknown): Js {
    // To a map, 0 and -0 are one key.
    const key = Object.is(value, -0) ? this.places : value;
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.constants.push(value) - 1;
      this.places.set(key, place);
    }
    return `c${place}` as Js;
  }

  /** `["key"]`, or `[c1]` for a key that is not a word. */
  key(key: string): Js {
    return isWord(key) ? js`[${quoted(key)}]` : js`[${this.constant(key)}]`;
  }

  /** Writes a function: its own variables, fuel paid before it ends. */
  function(parameters: readonly Js[], write: () => void): Js {
    const { declared, pending, throws, handler } = this;
    this.declared = [];
    this.pending = 0;
    this.handler = undefined;
    const lines = this.block(write);
    const names = this.declared;
    Object.assign(this, { declared, pending, throws, handler });
    const variables = names.length === 0 ? js`` : js`let ${joined(names, ', ')};\n`;
    return js`(${joined(parameters, ', ')}) => {\n${variables}${text(lines)}}`;
  }

  /** Pays for all that was spent. */
  flush(): void {
    this.settle(0);
  }

  /** Makes the account say what another way to the same place leaves pending. */
  settle(pending: number): void {
    const code = payment(this.pending - pending);
    if (code !== '') this.emit(code);
    this.pending = pending;
  }

  /** A failure, unless the code before went another way. */
  fail(error: () => Js): void {
    const { handler } = this;
    if (handler === undefined) {
      this.throws = true;
      if (this.pending > 0) this.emit(js`run.spend(${this.pending});`);
      this.emit(js`throw ${error()};`);
      return;
    }
    if (handler.message !== undefined) this.emit(js`${handler.message} = ${error()}.message;`);
    const patch: Patch = { code: js`` };
    handler.exits.push({ patch, pending: this.pending });
    this.lines.push(patch);
    this.emit(js`break ${handler.label};`);
  }

  /** A call that may spend and fail: all is paid before. */
  call(code: Js): Js {
    this.flush();
    this.throws = true;
    return this.temporary(code);
  }

  /** The slow way of something that has a fast one: leaves the account as the fast one does. */
  seldom(target: Js, code: Js): void {
    this.throws = true;
    const { pending } = this;
    if (pending > 0) this.emit(js`run.spend(${pending});`);
    this.emit(js`${target} = ${code};`);
    if (pending > 0) this.emit(js`run.fuel += ${pending};`);
  }

  /** Runs `write`, its failures told to `described` on their way out. */
  inContext(write: () => void, described: (error: Js) => Js): void {
    const { throws, handler } = this;
    this.throws = false;
    this.handler = undefined;
    const lines = this.block(write);
    if (this.throws) {
      const error = this.name('x');
      this.emit(js`try {`);
      this.insert(lines);
      this.emit(js`} catch (${error}) { throw ${described(error)}; }`);
    } else this.insert(lines);
    this.throws ||= throws;
    this.handler = handler;
  }

  /**
   * A value that something stands in for when it fails, or when it is not `accepted`. `write` and `instead` set the result, and
   * `instead` is written only where it can be needed.
   */
  attempt(
    write: () => void,
    instead: () => void,
    { message, accepted }: { message?: Js | undefined; accepted?: () => Js | undefined },
  ): void {
    const outer = { throws: this.throws, handler: this.handler };
    const [done, failed] = [this.name('S'), this.name('F')];
    const handler: Handler = { label: failed, message, exits: [] };
    this.throws = false;
    this.handler = handler;
    const lines = this.block(write);
    const { throws, pending } = this;
    Object.assign(this, outer);
    const condition = accepted?.();
    if (!throws && handler.exits.length === 0) {
      this.insert(lines);
      if (condition === undefined) return;
      this.emit(js`if (!(${condition})) {`);
      instead();
      this.settle(pending);
      this.emit(js`}`);
      return;
    }
    this.emit(js`${done}: { ${failed}: {`);
    if (throws) this.emit(js`try {`);
    this.insert(lines);
    this.emit(condition === undefined ? js`break ${done};` : js`if (${condition}) break ${done};`);
    if (throws) {
      const error = this.name('x');
      const kept = message === undefined ? js`` : js`${message} = `;
      const back = pending > 0 ? js` run.fuel += ${pending};` : js``;
      this.emit(js`} catch (${error}) { ${kept}caught(${error});${back} }`);
    }
    this.emit(js`}`);
    for (const exit of handler.exits) exit.patch.code = payment(exit.pending - pending);
    instead();
    this.settle(pending);
    this.emit(js`}`);
  }
}

function payment(amount: number): Js {
  if (amount > 0) return js`if ((run.fuel -= ${amount}) < 0) exhausted(run);`;
  return amount < 0 ? js`run.fuel += ${-amount};` : js``;
}

export function text(lines: Lines): Js {
  const parts: string[] = [];
  const add = (line: Lines[number]): void => {
    if (typeof line === 'string') parts.push(line, '\n');
    else if (Array.isArray(line)) for (const one of line) add(one);
    else if (line.code !== '') parts.push(line.code, '\n');
  };
  add(lines);
  return parts.join('') as Js;
}
