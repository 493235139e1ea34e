import type { Expression } from '../language/ast.js';
import { literalSteps } from '../closures/compile-literals.js';
import { compareStrings, keyReader } from '../language/values.js';
import { BranchGenerator } from './generate-branches.js';
import type { Scope } from './generate-operators.js';
import { isWord, type Js, joined, js, quoted } from './javascript.js';
import { isPlainKey } from './keys.js';
import { nullOperand, type Operand, operand } from './operand.js';

/** One key of an object literal; without a word of its own it is computed. */
interface Entry {
  word: string | undefined;
  value: Operand;
}

/** Literals, and paths into data. */
export abstract class ValueGenerator extends BranchGenerator {
  protected literal(value: unknown): Operand {
    const constant = { value };
    if (value === null) return nullOperand;
    if (typeof value === 'boolean')
      return { code: value ? js`true` : js`false`, known: 'bool', marked: 'never', constant };
    if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
      return { code: js`(${value})`, known: 'number', marked: 'never', constant };
    const known =
      typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'any';
    return { code: this.constant(value), known, marked: 'never', constant };
  }

  /** A chain of fields, read at once as far as its keys are plain. */
  protected field(expression: Extract<Expression, { kind: 'field' }>, scope: Scope): Operand {
    const keys: string[] = [];
    let base: Expression = expression;
    while (base.kind === 'field') {
      keys.unshift(base.name);
      base = base.target;
    }
    let code = this.expression(base, scope).code;
    let chain = js``;
    for (const key of keys) {
      if (isPlainKey(key)) {
        chain = js`${chain}?.${this.key(key)}`;
        continue;
      }
      if (chain !== '') code = this.temporary(js`${code}${chain} ?? null`);
      chain = js``;
      code = this.temporary(
        key === '*' ? js`everyElement(${code})` : js`${this.constant(keyReader(key))}(${code})`,
      );
    }
    if (chain !== '') code = this.temporary(js`${code}${chain} ?? null`);
    return operand(code, 'any', 'perhaps');
  }

  protected array(items: readonly Expression[], scope: Scope): Operand {
    this.pending += items.length + literalSteps;
    const values = items.map((item) => this.expression(item, scope));
    if (values.every(({ marked }) => marked === 'never'))
      return operand(
        this.temporary(
          js`[${joined(
            values.map(({ code }) => code),
            ', ',
          )}]`,
        ),
        'array',
      );
    const result = this.temporary(js`[]`);
    for (const { code, marked } of values)
      this.emit(
        marked === 'never'
          ? js`${result}.push(${code});`
          : js`if (${code} !== Deleted && ${code} !== Nothing) ${result}.push(${code});`,
      );
    return operand(result, 'array');
  }

  protected object(
    entries: readonly { key: Expression; value: Expression }[],
    scope: Scope,
  ): Operand {
    this.pending += entries.length + literalSteps;
    const words = entries.map(({ key }) =>
      key.kind === 'literal' && typeof key.value === 'string' && isWord(key.value)
        ? key.value
        : undefined,
    );
    const inPlace =
      words.every((word) => word !== undefined) && new Set(words).size === words.length;
    if (!inPlace) return this.computedObject(entries, scope);
    const made: Entry[] = entries.map(({ value }, index) => ({
      word: words[index],
      value: this.resolved(value, scope, this.literal(words[index]).code),
    }));
    return operand(this.objectOf(made), 'object');
  }

  /** An object with word keys: those that are surely there in place, the others behind. */
  protected objectOf(entries: readonly Entry[], hasNoMarks = false): Js {
    // In the order of JSON, which then needs no sorting.
    const sure = entries
      .filter(({ value }) => value.marked !== 'likely')
      .sort((a, b) => compareStrings(a.word ?? '', b.word ?? ''));
    const literal = js`{${joined(
      sure.map(({ word = '', value }) => js`${quoted(word)}: ${value.code}`),
      ', ',
    )}}`;
    const result = this.temporary(literal);
    const doubtful = sure.filter(({ value }) => value.marked === 'perhaps');
    if (doubtful.length > 0 && !hasNoMarks) {
      const marks = doubtful.map(
        ({ value: { code } }) => js`${code} === Deleted || ${code} === Nothing`,
      );
      this.emit(js`if (${joined(marks, ' || ')}) ${result} = compact(${result});`);
    }
    for (const { word = '', value } of entries)
      if (value.marked === 'likely')
        this.emit(
          js`if (${value.code} !== Deleted && ${value.code} !== Nothing) ${result}${this.key(word)} = ${value.code};`,
        );
    return result;
  }

  private computedObject(
    entries: readonly { key: Expression; value: Expression }[],
    scope: Scope,
  ): Operand {
    const result = this.temporary(js`{}`);
    for (const { key, value } of entries) {
      const name = this.expression(key, scope);
      if (name.known !== 'string') {
        this.emit(js`if (typeof ${name.code} !== "string") {`);
        this.fail(() => js`notKey(${name.code})`);
        this.emit(js`}`);
      }
      const { code, marked } = this.resolved(value, scope, name.code);
      const set = js`setKey(${result}, ${name.code}, ${code});`;
      this.emit(
        marked === 'never' ? set : js`if (${code} !== Deleted && ${code} !== Nothing) ${set}`,
      );
    }
    return operand(result, 'object');
  }

  /** The value of an entry: its failures name the key. */
  private resolved(value: Expression, scope: Scope, key: Js): Operand {
    let result: Operand = nullOperand;
    this.inContext(
      () => {
        result = this.expression(value, scope);
      },
      (error) => js`unresolved(${error}, ${key})`,
    );
    return result;
  }
}
