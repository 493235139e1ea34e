import type { Expression } from '../language/ast.js';
import { literalSteps } from '../closures/compile-literals.js';
import { compareStrings, keyReader } from '../language/values.js';
import type { Emitter } from './emitter.js';
import type { Generation, Scope } from './generation.js';
import { isWord, type Js, joined, js, quoted } from './javascript.js';
import { isPlainKey } from './keys.js';
import { nullOperand, type Operand, operand } from './operand.js';

/** One key of an object literal; without a word of its own it is computed. */
interface Entry {
  word: string | undefined;
  value: Operand;
}

export function literalOperand(emitter: Emitter, value: unknown): Operand {
  const constant = { value };
  if (value === null) return nullOperand;
  if (typeof value === 'boolean')
    return { code: value ? js`true` : js`false`, known: 'bool', marked: 'never', constant };
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
    return { code: js`(${value})`, known: 'number', marked: 'never', constant };
  const known = typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'any';
  return { code: emitter.constant(value), known, marked: 'never', constant };
}

/** A chain of fields, read at once as far as its keys are plain. */
export function generateField(
  generation: Generation,
  expression: Extract<Expression, { kind: 'field' }>,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const keys: string[] = [];
  let base: Expression = expression;
  while (base.kind === 'field') {
    keys.unshift(base.name);
    base = base.target;
  }
  let code = generation.expression(base, scope).code;
  let chain = js``;
  for (const key of keys) {
    if (isPlainKey(key)) {
      chain = js`${chain}?.${emitter.key(key)}`;
      continue;
    }
    if (chain !== '') code = emitter.temporary(js`${code}${chain} ?? null`);
    chain = js``;
    code = emitter.temporary(
      key === '*' ? js`everyElement(${code})` : js`${emitter.constant(keyReader(key))}(${code})`,
    );
  }
  if (chain !== '') code = emitter.temporary(js`${code}${chain} ?? null`);
  return operand(code, 'any', 'perhaps');
}

export function generateArray(
  generation: Generation,
  items: readonly Expression[],
  scope: Scope,
): Operand {
  const { emitter } = generation;
  emitter.pending += items.length + literalSteps;
  const values = items.map((item) => generation.expression(item, scope));
  if (values.every(({ marked }) => marked === 'never'))
    return operand(
      emitter.temporary(
        js`[${joined(
          values.map(({ code }) => code),
          ', ',
        )}]`,
      ),
      'array',
    );
  const result = emitter.temporary(js`[]`);
  for (const { code, marked } of values)
    emitter.emit(
      marked === 'never'
        ? js`${result}.push(${code});`
        : js`if (${code} !== Deleted && ${code} !== Nothing) ${result}.push(${code});`,
    );
  return operand(result, 'array');
}

export function generateObject(
  generation: Generation,
  entries: readonly { key: Expression; value: Expression }[],
  scope: Scope,
): Operand {
  const { emitter } = generation;
  emitter.pending += entries.length + literalSteps;
  const words = entries.map(({ key }) =>
    key.kind === 'literal' && typeof key.value === 'string' && isWord(key.value)
      ? key.value
      : undefined,
  );
  const inPlace = words.every((word) => word !== undefined) && new Set(words).size === words.length;
  if (!inPlace) return generateComputedObject(generation, entries, scope);
  const made: Entry[] = entries.map(({ value }, index) => ({
    word: words[index],
    value: generateEntry(generation, value, scope, literalOperand(emitter, words[index]).code),
  }));
  return operand(generatePlainObject(emitter, made), 'object');
}

/** An object with word keys: those that are surely there in place, the others behind. */
export function generatePlainObject(
  emitter: Emitter,
  entries: readonly Entry[],
  hasNoMarks = false,
): Js {
  // In the order of JSON, which then needs no sorting.
  const sure = entries
    .filter(({ value }) => value.marked !== 'likely')
    .sort((a, b) => compareStrings(a.word ?? '', b.word ?? ''));
  const literal = js`{${joined(
    sure.map(({ word = '', value }) => js`${quoted(word)}: ${value.code}`),
    ', ',
  )}}`;
  const result = emitter.temporary(literal);
  const doubtful = sure.filter(({ value }) => value.marked === 'perhaps');
  if (doubtful.length > 0 && !hasNoMarks) {
    const marks = doubtful.map(
      ({ value: { code } }) => js`${code} === Deleted || ${code} === Nothing`,
    );
    emitter.emit(js`if (${joined(marks, ' || ')}) ${result} = compact(${result});`);
  }
  for (const { word = '', value } of entries)
    if (value.marked === 'likely')
      emitter.emit(
        js`if (${value.code} !== Deleted && ${value.code} !== Nothing) ${result}${emitter.key(word)} = ${value.code};`,
      );
  return result;
}

function generateComputedObject(
  generation: Generation,
  entries: readonly { key: Expression; value: Expression }[],
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const result = emitter.temporary(js`{}`);
  for (const { key, value } of entries) {
    const name = generation.expression(key, scope);
    if (name.known !== 'string') {
      emitter.emit(js`if (typeof ${name.code} !== "string") {`);
      emitter.fail(() => js`notKey(${name.code})`);
      emitter.emit(js`}`);
    }
    const { code, marked } = generateEntry(generation, value, scope, name.code);
    const set = js`setKey(${result}, ${name.code}, ${code});`;
    emitter.emit(
      marked === 'never' ? set : js`if (${code} !== Deleted && ${code} !== Nothing) ${set}`,
    );
  }
  return operand(result, 'object');
}

/** The value of an entry: its failures name the key. */
function generateEntry(generation: Generation, value: Expression, scope: Scope, key: Js): Operand {
  const { emitter } = generation;
  let result: Operand = nullOperand;
  emitter.inContext(
    () => {
      result = generation.expression(value, scope);
    },
    (error) => js`unresolved(${error}, ${key})`,
  );
  return result;
}
