import type { Expression } from '../language/ast.js';
import { maxSmallArray, maxSmallText } from '../language/run.js';
import { CallGenerator } from './generate-calls.js';
import type { Scope } from './generate-operators.js';
import { type Js, js } from './javascript.js';
import { type Operand, operand } from './operand.js';

/** Longer texts are left to the methods: they pay for the memory of what they make. */
const longestInPlace = maxSmallText;

/** Texts so short are walked for nothing. */
const longestFree = 63;

type MethodCall = Extract<Expression, { kind: 'method' }>;

/** Methods of texts and numbers, and walks over arrays, in place: the usual types at once, the others by the method. */
export abstract class MethodGenerator extends CallGenerator {
  protected override inPlace(
    expression: MethodCall,
    target: Operand,
    scope: Scope,
  ): Operand | undefined {
    const { name, arguments: given } = expression;
    const [first] = given;
    switch (name) {
      case 'map_each':
        return first && this.mapEach(target, first.value, scope);
      case 'filter':
        return first && this.filter(target, first.value, scope);
      case 'map':
        return first && this.argument(first.value, target, scope);
      case 'apply':
        return this.applied(first?.value, target);
      case 'lowercase':
        return this.ofText(name, target, (text) => js`fastLower(run, ${text})`);
      case 'uppercase':
        return this.ofText(name, target, (text) => js`fastUpper(run, ${text})`);
      case 'trim':
        return first ? undefined : this.ofText(name, target, (text) => js`fastTrim(run, ${text})`);
      case 'string':
        return this.usually(
          name,
          target,
          js`typeof ${target.code} === "string"`,
          target.code,
          'string',
        );
      case 'number':
        return this.usually(
          name,
          target,
          js`typeof ${target.code} === "number"`,
          target.code,
          'number',
        );
      case 'array':
        return this.usually(name, target, js`isArray(${target.code})`, target.code, 'array');
      case 'length':
        return this.usually(
          name,
          target,
          js`isArray(${target.code})`,
          js`${target.code}.length`,
          'number',
        );
      case 'not_null':
        return this.usually(
          name,
          target,
          js`${target.code} !== null && ${target.code} !== undefined`,
          target.code,
          'any',
        );
      case 'replace_all':
      case 'replace':
        return this.replaced(expression, target);
      case 'index':
        return this.indexed(expression, target);
      default:
        return undefined;
    }
  }

  /** A template whose name stands there. */
  private applied(name: Expression | undefined, target: Operand): Operand | undefined {
    if (name?.kind !== 'literal' || typeof name.value !== 'string') return undefined;
    const called = this.call(js`run.call(${this.constant(name.value)}, ${target.code})`);
    return operand(called, 'any', 'perhaps');
  }

  /** A change of a text; null and other scalars fail here, so that a `catch` needs no throw. */
  private ofText(name: string, { code }: Operand, change: (text: Js) => Js): Operand {
    const result = this.declare();
    this.emit(
      js`if (typeof ${code} !== "string" && (typeof ${code} !== "object" || ${code} === null)) {`,
    );
    this.fail(() => js`wrongType(${this.constant('string')}, ${code})`);
    this.emit(js`}`);
    this.emit(
      js`if (typeof ${code} !== "string" || ${code}.length > ${longestInPlace} || (${result} = ${change(code)}) === undefined) {`,
    );
    this.seldomCalled(name, result, code);
    this.emit(js`}`);
    return operand(result, 'any');
  }

  private usually(
    name: string,
    target: Operand,
    condition: Js,
    value: Js,
    known: Operand['known'],
  ): Operand {
    const result = this.declare();
    this.emit(js`if (${condition}) ${result} = ${value}; else {`);
    this.seldomCalled(name, result, target.code);
    this.emit(js`}`);
    return operand(result, known, known === 'any' ? 'perhaps' : 'never');
  }

  /** Replacing one literal by another that is not longer: nothing can grow. */
  private replaced({ name, arguments: given }: MethodCall, target: Operand): Operand | undefined {
    const [from, to] = given.map(({ value, name: label }) =>
      label === undefined && value.kind === 'literal' && typeof value.value === 'string'
        ? value.value
        : undefined,
    );
    if (from === undefined || to === undefined || from === '' || to.length > from.length)
      return undefined;
    if (to.includes('$') || from.length > longestFree || to.length > longestFree) return undefined;
    const [old, fresh] = [this.constant(from), this.constant(to)];
    const result = this.declare();
    this.emit(
      js`if (typeof ${target.code} === "string" && ${target.code}.length <= ${longestInPlace}) ${result} = fastReplace(run, ${target.code}, ${old}, ${fresh}); else {`,
    );
    this.seldomCalled(name, result, target.code, js`[${old}, ${fresh}]`);
    this.emit(js`}`);
    return operand(result, 'any');
  }

  private indexed({ name, arguments: [given] }: MethodCall, target: Operand): Operand | undefined {
    const { value } = given ?? {};
    if (value?.kind !== 'literal' || typeof value.value !== 'number') return undefined;
    if (!Number.isSafeInteger(value.value) || value.value < 0) return undefined;
    const index = value.value;
    const result = this.declare();
    this.emit(
      js`if (isArray(${target.code}) && ${target.code}.length > ${index}) ${result} = ${target.code}[${index}]; else {`,
    );
    this.seldomCalled(name, result, target.code, js`[${index}]`);
    this.emit(js`}`);
    return operand(result, 'any', 'perhaps');
  }

  private mapEach(target: Operand, body: Expression, scope: Scope): Operand {
    const [list, objects] = [this.declare(), this.declare()];
    const { keys, elements, index } = this.walk(target, true);
    this.emit(js`if (${keys} === null) ${list} = []; else ${objects} = {};`);
    const element = this.declare();
    const unprocessed = (error: Js) => js`unprocessed(${error}, ${keys}, ${index})`;
    this.inContext(() => {
      this.emit(js`for (; ${index} < ${elements}.length; ${index} += 1) {`);
      this.emit(js`${element} = ${elements}[${index}];`);
      this.keyed(keys);
      const { code, marked } = this.argument(body, operand(element, 'any', 'perhaps'), scope);
      this.flush();
      const kept = marked === 'never' ? code : js`${code} === Nothing ? ${element} : ${code}`;
      this.emit(marked === 'never' ? js`` : js`if (${code} !== Deleted)`);
      this.emit(js`if (${keys} === null) ${list}.push(${kept});`);
      const one = marked === 'never' ? code : js`${code} === Nothing ? ${element}.value : ${code}`;
      this.emit(js`else setKey(${objects}, ${keys}[${index}], ${one});`);
      this.emit(js`}`);
    }, unprocessed);
    return operand(this.temporary(js`${keys} === null ? ${list} : ${objects}`));
  }

  private filter(target: Operand, body: Expression, scope: Scope): Operand {
    const [list, objects] = [this.declare(), this.declare()];
    const { keys, elements, index } = this.walk(target, false);
    this.emit(js`if (${keys} === null) ${list} = []; else ${objects} = {};`);
    const element = this.declare();
    this.emit(js`for (; ${index} < ${elements}.length; ${index} += 1) {`);
    this.emit(js`${element} = ${elements}[${index}];`);
    this.keyed(keys);
    const { code } = this.argument(body, operand(element, 'any', 'perhaps'), scope);
    this.flush();
    this.emit(js`if (${code} === true) {`);
    this.emit(js`if (${keys} === null) ${list}.push(${element});`);
    this.emit(js`else setKey(${objects}, ${keys}[${index}], ${element}.value);`);
    this.emit(js`} }`);
    this.emit(
      js`if (${keys} === null && ${list}.length > ${maxSmallArray}) run.holdArray(${list}.length);`,
    );
    return operand(this.temporary(js`${keys} === null ? ${list} : ${objects}`));
  }

  /** Begins a walk over an array, or over the entries of an object in the order of their keys. */
  private walk({ code }: Operand, isMade: boolean): { keys: Js; elements: Js; index: Js } {
    const [keys, elements, index] = [this.declare(), this.declare(), this.declare()];
    this.emit(js`if (typeof ${code} !== "object" || ${code} === null) {`);
    this.fail(() => js`wrongType(${this.constant('array or object')}, ${code})`);
    this.emit(js`}`);
    this.flush();
    this.throws = true;
    this.emit(js`${index} = 0; ${keys} = keysOf(${code});`);
    this.emit(js`if (${keys} === null) {`);
    this.emit(js`${elements} = ${code};`);
    if (isMade)
      this.emit(js`if (${code}.length > run.limits.arrayLength) run.array(${code}.length);`);
    this.emit(js`if ((run.fuel -= ${code}.length) < 0) exhausted(run);`);
    if (isMade)
      this.emit(js`if (${code}.length > ${maxSmallArray}) run.holdArray(${code}.length);`);
    this.emit(js`} else ${elements} = entriesOf(run, ${code}, ${keys});`);
    return { keys, elements, index };
  }

  /** Each entry of an object costs a step, elements are paid for together. */
  private keyed(keys: Js): void {
    this.emit(js`if (${keys} !== null && (run.fuel -= 1) < 0) exhausted(run);`);
  }
}
