import type { Expression } from '../language/ast.js';
import { maxSmallArray, maxSmallText, type Run } from '../language/run.js';
import type { Method } from '../language/specification.js';
import { textSteps } from '../methods/charges.js';
import { replaceNanoseconds } from '../methods/costs.js';
import type { Emitter } from './emitter.js';
import { callSeldom, generateArguments, methodOf } from './generate-calls.js';
import { generateArgument, type Generation, type Scope } from './generation.js';
import { type Js, js } from './javascript.js';
import { plainForm } from './texts.js';
import { type Operand, operand } from './operand.js';

/** Longer texts are left to the methods: they pay for the memory of what they make. */
const maxInPlaceLength = maxSmallText;

type MethodCall = Extract<Expression, { kind: 'method' }>;

/** Generates a call without calling the method; undefined where its target or arguments do not allow it. */
export function generateInPlace(
  generation: Generation,
  { inPlace }: Method,
  expression: MethodCall,
  target: Operand,
  scope: Scope,
): Operand | undefined {
  const { name, arguments: given } = expression;
  const [first] = given;
  switch (inPlace?.form) {
    case 'same':
      return generateSame(generation, name, target, inPlace.type);
    case 'length':
      return generateUsual(
        generation,
        name,
        target,
        isArray(target),
        js`${target.code}.length`,
        'number',
      );
    case 'text':
      return first ? undefined : generateTextChange(generation, name, target, inPlace.change);
    case 'map_each':
      return first && generateMapEach(generation, target, first.value, scope);
    case 'filter':
      return first && generateFilter(generation, target, first.value, scope);
    case 'map':
      return first && generateArgument(generation, first.value, target, scope);
    case 'apply':
      return generateApply(generation.emitter, first?.value, target);
    case 'replace':
      return generateReplace(generation, expression, target);
    case 'format':
      return generateFormat(generation, expression, scope);
    case 'index':
      return generateIndex(generation, expression, target);
    case undefined:
      return undefined;
  }
}

const isArray = ({ code }: Operand): Js => js`isArray(${code})`;

/** The target itself, if it is of a type. */
function generateSame(
  generation: Generation,
  name: string,
  target: Operand,
  type: 'string' | 'number' | 'array' | 'value',
): Operand {
  const { code } = target;
  const conditions = {
    string: js`typeof ${code} === "string"`,
    number: js`typeof ${code} === "number"`,
    array: isArray(target),
    value: js`${code} !== null && ${code} !== undefined`,
  };
  const known = type === 'value' ? 'any' : type;
  return generateUsual(generation, name, target, conditions[type], code, known);
}

/** A template whose name stands there. */
function generateApply(
  emitter: Emitter,
  name: Expression | undefined,
  target: Operand,
): Operand | undefined {
  if (name?.kind !== 'literal' || typeof name.value !== 'string') return undefined;
  const called = emitter.call(js`run.call(${emitter.constant(name.value)}, ${target.code})`);
  return operand(called, 'any', 'perhaps');
}

/** A change of a text; null and other scalars fail here, so that a `catch` needs no throw. */
function generateTextChange(
  generation: Generation,
  name: string,
  { code }: Operand,
  change: (run: Run, text: string) => string | undefined,
): Operand {
  const { emitter } = generation;
  const result = emitter.declare();
  const changed = js`${emitter.constant(change)}(run, ${code})`;
  emitter.emit(
    js`if (typeof ${code} !== "string" && (typeof ${code} !== "object" || ${code} === null)) {`,
  );
  emitter.fail(() => js`wrongType(${emitter.constant('string')}, ${code})`);
  emitter.emit(js`}`);
  emitter.emit(
    js`if (typeof ${code} !== "string" || ${code}.length > ${maxInPlaceLength} || (${result} = ${changed}) === undefined) {`,
  );
  callSeldom(generation, name, result, code);
  emitter.emit(js`}`);
  return operand(result, 'any');
}

function generateUsual(
  generation: Generation,
  name: string,
  target: Operand,
  condition: Js,
  value: Js,
  known: Operand['known'],
): Operand {
  const { emitter } = generation;
  const result = emitter.declare();
  emitter.emit(js`if (${condition}) ${result} = ${value}; else {`);
  callSeldom(generation, name, result, target.code);
  emitter.emit(js`}`);
  return operand(result, known, known === 'any' ? 'perhaps' : 'never');
}

/** Replacing one literal by another that is not longer: nothing can grow. */
function generateReplace(
  generation: Generation,
  { name, arguments: given }: MethodCall,
  target: Operand,
): Operand | undefined {
  const { emitter } = generation;
  const [from, to] = given.map(({ value, name: label }) =>
    label === undefined && value.kind === 'literal' && typeof value.value === 'string'
      ? value.value
      : undefined,
  );
  if (from === undefined || to === undefined || from === '' || to.length > from.length)
    return undefined;
  if (to.includes('$') || textSteps(from.length, replaceNanoseconds) > 0) return undefined;
  const [old, fresh] = [emitter.constant(from), emitter.constant(to)];
  const result = emitter.declare();
  emitter.emit(
    js`if (typeof ${target.code} === "string" && ${target.code}.length <= ${maxInPlaceLength}) ${result} = fastReplace(run, ${target.code}, ${old}, ${fresh}); else {`,
  );
  callSeldom(generation, name, result, target.code, js`[${old}, ${fresh}]`);
  emitter.emit(js`}`);
  return operand(result, 'any');
}

/** Values put into a literal form. */
function generateFormat(
  generation: Generation,
  { name, target, arguments: given }: MethodCall,
  scope: Scope,
): Operand | undefined {
  const { emitter } = generation;
  if (target.kind !== 'literal' || typeof target.value !== 'string') return undefined;
  const form = plainForm(target.value, given.length);
  if (form === undefined) return undefined;
  const method = methodOf(generation, name);
  const values = emitter.temporary(generateArguments(generation, method, given, scope));
  const result = emitter.declare();
  emitter.flush();
  emitter.emit(js`${result} = fastFormat(run, ${emitter.constant(form)}, ${values});`);
  emitter.throws = true;
  emitter.emit(js`if (${result} === undefined) {`);
  callSeldom(generation, name, result, emitter.constant(target.value), values);
  emitter.emit(js`}`);
  return operand(result, 'string');
}

function generateIndex(
  generation: Generation,
  { name, arguments: [given] }: MethodCall,
  target: Operand,
): Operand | undefined {
  const { emitter } = generation;
  const { value } = given ?? {};
  if (value?.kind !== 'literal' || typeof value.value !== 'number') return undefined;
  if (!Number.isSafeInteger(value.value) || value.value < 0) return undefined;
  const index = value.value;
  const result = emitter.declare();
  emitter.emit(
    js`if (isArray(${target.code}) && ${target.code}.length > ${index}) ${result} = ${target.code}[${index}]; else {`,
  );
  callSeldom(generation, name, result, target.code, js`[${index}]`);
  emitter.emit(js`}`);
  return operand(result, 'any', 'perhaps');
}

function generateMapEach(
  generation: Generation,
  target: Operand,
  body: Expression,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const [list, objects] = [emitter.declare(), emitter.declare()];
  const { keys, elements, index } = beginWalk(emitter, target, true);
  emitter.emit(js`if (${keys} === null) ${list} = []; else ${objects} = {};`);
  const element = emitter.declare();
  const unprocessed = (error: Js) => js`unprocessed(${error}, ${keys}, ${index})`;
  emitter.inContext(() => {
    emitter.emit(js`for (; ${index} < ${elements}.length; ${index} += 1) {`);
    emitter.emit(js`${element} = ${elements}[${index}];`);
    payForKey(emitter, keys);
    const { code, marked } = generateArgument(
      generation,
      body,
      operand(element, 'any', 'perhaps'),
      scope,
    );
    emitter.flush();
    const kept = marked === 'never' ? code : js`${code} === Nothing ? ${element} : ${code}`;
    emitter.emit(marked === 'never' ? js`` : js`if (${code} !== Deleted)`);
    emitter.emit(js`if (${keys} === null) ${list}.push(${kept});`);
    const one = marked === 'never' ? code : js`${code} === Nothing ? ${element}.value : ${code}`;
    emitter.emit(js`else setKey(${objects}, ${keys}[${index}], ${one});`);
    emitter.emit(js`}`);
  }, unprocessed);
  return operand(emitter.temporary(js`${keys} === null ? ${list} : ${objects}`));
}

function generateFilter(
  generation: Generation,
  target: Operand,
  body: Expression,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const [list, objects] = [emitter.declare(), emitter.declare()];
  const { keys, elements, index } = beginWalk(emitter, target, false);
  emitter.emit(js`if (${keys} === null) ${list} = []; else ${objects} = {};`);
  const element = emitter.declare();
  emitter.emit(js`for (; ${index} < ${elements}.length; ${index} += 1) {`);
  emitter.emit(js`${element} = ${elements}[${index}];`);
  payForKey(emitter, keys);
  const { code } = generateArgument(generation, body, operand(element, 'any', 'perhaps'), scope);
  emitter.flush();
  emitter.emit(js`if (${code} === true) {`);
  emitter.emit(js`if (${keys} === null) ${list}.push(${element});`);
  emitter.emit(js`else setKey(${objects}, ${keys}[${index}], ${element}.value);`);
  emitter.emit(js`} }`);
  emitter.emit(
    js`if (${keys} === null && ${list}.length > ${maxSmallArray}) run.holdArray(${list}.length);`,
  );
  return operand(emitter.temporary(js`${keys} === null ? ${list} : ${objects}`));
}

/** Begins a walk over an array, or over the entries of an object in the order of their keys. */
function beginWalk(
  emitter: Emitter,
  { code }: Operand,
  isMade: boolean,
): { keys: Js; elements: Js; index: Js } {
  const [keys, elements, index] = [emitter.declare(), emitter.declare(), emitter.declare()];
  emitter.emit(js`if (typeof ${code} !== "object" || ${code} === null) {`);
  emitter.fail(() => js`wrongType(${emitter.constant('array or object')}, ${code})`);
  emitter.emit(js`}`);
  emitter.flush();
  emitter.throws = true;
  emitter.emit(js`${index} = 0; ${keys} = keysOf(${code});`);
  emitter.emit(js`if (${keys} === null) {`);
  emitter.emit(js`${elements} = ${code};`);
  if (isMade)
    emitter.emit(js`if (${code}.length > run.limits.arrayLength) run.array(${code}.length);`);
  emitter.emit(js`if ((run.fuel -= ${code}.length) < 0) exhausted(run);`);
  if (isMade)
    emitter.emit(js`if (${code}.length > ${maxSmallArray}) run.holdArray(${code}.length);`);
  emitter.emit(js`} else ${elements} = entriesOf(run, ${code}, ${keys});`);
  return { keys, elements, index };
}

/** Each entry of an object costs a step, elements are paid for together. */
function payForKey(emitter: Emitter, keys: Js): void {
  emitter.emit(js`if (${keys} !== null && (run.fuel -= 1) < 0) exhausted(run);`);
}
