import type * as jsonschema from 'jsonschema';
import type { CustomProperty, Options, Schema, Validator, ValidatorResult } from 'jsonschema';
import { formatJson } from '../../language/json.js';
import { optionalPackage } from '../../language/optional-package.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import { equal, isObject, typeName } from '../../language/values.js';
import { matchesPart } from '../patterns/patterns.js';
import { textOf } from '../text.js';

/** Longer texts have no format: its patterns are the library's, which were not written for strangers. */
const maxFormattedLength = 1_000;

/** Maximum depth of schemas within each other, and of references. */
const maxDepth = 256;

/** Bytes of an error, which the library keeps until the end. */
const errorBytes = 500;

/** Where a schema is whose `$id` says nothing else. Node 24 and newer resolve no reference against an address without a scheme. */
const base = 'schema:/';

/** How many values of an enum a message names. */
const maxShownValues = 20;

/** Steps of the interpreter for one step of the library. */
const stepCost = 50;

type Context = Parameters<CustomProperty>[3];
type Step = (value: unknown, schema: Schema, options: Options, context: Context) => ValidatorResult;

/** Members that the library has and does not declare. */
interface Internals {
  validateSchema: Step;
  types: object;
  resolve: (schema: Schema, reference: string, context: Context) => unknown;
}

export const jsonSchemaLibrary = optionalPackage<typeof jsonschema>('jsonschema', 1);

/** Interprets schemas of the drafts 4 to 7: pays for every step, takes linear patterns, fetches nothing. */
export class BoundedValidator {
  private readonly validator: Validator;
  private readonly step: Step;
  private depth = 0;

  constructor(private readonly run: Run) {
    this.validator = new (jsonSchemaLibrary.load().Validator)();
    // The library calls it for every pair of a value and a schema.
    const called = this.validator as unknown as Internals;
    this.step = called.validateSchema;
    called.validateSchema = (...call) => this.validateSchema(...call);
    const inherited = Object.getPrototypeOf(this.validator.attributes) as Record<
      string,
      CustomProperty
    >;
    const own: Record<string, Step> = {
      pattern: (...call) => this.pattern(...call),
      patternProperties: (...call) => this.patternProperties(...call),
      uniqueItems: (...call) => this.uniqueItems(...call),
      enum: (...call) => this.enum(...call),
      format: (value, schema, options, context) => {
        if (typeof value === 'string' && value.length > maxFormattedLength)
          return faulty(
            value,
            schema,
            options,
            context,
            `is too long for format ${String(schema.format)}`,
          );
        if (typeof value === 'string') this.run.spend(value.length);
        return (inherited['format'] as Step).call(this.validator, value, schema, options, context);
      },
    };
    // Without prototypes: names that all objects have are no keywords and no types.
    this.validator.attributes = Object.assign(bare(), inherited, own);
    const { resolve } = called;
    // The library finds a whole schema by its address without `#` alone.
    called.resolve = (schema, reference, context) =>
      resolve.call(this.validator, schema, reference.replace(/#$/, ''), context);
    called.types = Object.assign(bare(), Object.getPrototypeOf(called.types) as object);
  }

  validate(value: unknown, schema: Schema): ValidatorResult {
    return this.validator.validate(value, schema, { base });
  }

  private validateSchema(...call: Parameters<Step>): ValidatorResult {
    this.run.spend(stepCost);
    const [, schema] = call;
    if (isObject(schema) && 'extends' in schema)
      throw new RunError(
        'failed to parse json schema definition: extends is a keyword of draft 3, which is not supported',
      );
    if (this.depth >= maxDepth)
      throw new RunError(`the json schema nests more than ${maxDepth} schemas deep`);
    this.depth += 1;
    try {
      const result = this.step.apply(this.validator, call);
      this.run.hold(errorBytes * result.errors.length);
      return result;
    } finally {
      this.depth -= 1;
    }
  }

  private enum(...[value, schema, options, context]: Parameters<Step>): ValidatorResult {
    const allowed: unknown = schema.enum;
    if (!Array.isArray(allowed))
      throw new RunError('the json schema cannot be used: enum expects an array');
    this.run.spend(allowed.length);
    const isAllowed =
      value === undefined ||
      (allowed as unknown[]).some((one) => typeName(one) === typeName(value) && equal(one, value));
    if (isAllowed) return makeResult(value, schema, options, context);
    const shown = (allowed as unknown[])
      .slice(0, maxShownValues)
      .map((one) => textOf(one).slice(0, 60));
    if (allowed.length > maxShownValues) shown.push(`and ${allowed.length - maxShownValues} more`);
    return faulty(value, schema, options, context, `must be one of ${shown.join(', ')}`);
  }

  private pattern(...[value, schema, options, context]: Parameters<Step>): ValidatorResult {
    const text = String(schema.pattern);
    if (typeof value !== 'string' || this.matches(text, value))
      return makeResult(value, schema, options, context);
    return faulty(
      value,
      schema,
      options,
      context,
      `does not match pattern ${JSON.stringify(text)}`,
    );
  }

  private matches(pattern: string, text: string): boolean {
    return matchesPart(pattern, text, this.run);
  }

  private patternProperties(
    ...[value, schema, options, context]: Parameters<Step>
  ): ValidatorResult {
    const result = makeResult(value, schema, options, context);
    if (!isObject(value)) return result;
    const found: ValidatorResult[] = [];
    const check = (name: string, inner: Schema) =>
      found.push(this.validateSchema(value[name], inner, options, context.makeChild(inner, name)));
    const patterns = Object.entries(schema.patternProperties ?? {});
    for (const name of Object.keys(value)) {
      const fitting = patterns.filter(([pattern]) => this.matches(pattern, name));
      for (const [, inner] of fitting) check(name, inner);
      const others = schema.additionalProperties;
      if (fitting.length > 0 || Object.hasOwn(schema.properties ?? {}, name)) continue;
      if (others === false)
        result.addError({ name: 'additionalProperties', argument: name, message: 'is additional' });
      else if (typeof others === 'object') check(name, others);
    }
    result.errors.push(...found.flatMap(({ errors }) => errors));
    return result;
  }

  private uniqueItems(...[value, schema, options, context]: Parameters<Step>): ValidatorResult {
    const seen = new Set<string>();
    for (const one of schema.uniqueItems === true && Array.isArray(value)
      ? (value as unknown[])
      : []) {
      const text = formatJson(one);
      this.run.spend(1 + (text.length >> 4));
      if (seen.has(text)) return faulty(value, schema, options, context, 'contains duplicate item');
      seen.add(text);
    }
    return makeResult(value, schema, options, context);
  }
}

function makeResult(...[value, schema, options, context]: Parameters<Step>): ValidatorResult {
  return new (jsonSchemaLibrary.load().ValidatorResult)(value, schema, options, context);
}

function bare(): Record<string, CustomProperty> {
  return Object.create(null) as Record<string, CustomProperty>;
}

function faulty(
  value: unknown,
  schema: Schema,
  options: Options,
  context: Context,
  message: string,
): ValidatorResult {
  const result = makeResult(value, schema, options, context);
  result.addError(message);
  return result;
}
