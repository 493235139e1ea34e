import { captionsOf, constraintOf, deprecatedSince } from './facts.js';
import { checkFingerprint, checkFormat } from './formats.js';
import { isObject, type JsonObject, type Report, show } from './report.js';
import type { Attribute, ObjectSchema } from './schema.js';

type Path = readonly (string | number)[];

/** Deeper objects are not checked: the schemas refer to themselves. */
const maxDepth = 24;

/** Attributes whose content is not described by OCSF. */
const freeAttributes = new Set(['unmapped', 'custom_fields', 'data', 'enrichments', 'xattributes']);

/** Milliseconds from March 1973 to the year 5138: seconds are below, microseconds above. */
const minTimeMs = 1e11;
const maxTimeMs = 1e14;

/** Walks a record along the schema and checks every value by itself. */
export class ValueLint {
  constructor(
    private readonly report: Report,
    private readonly version: string,
    /** How messages call the class. */
    private readonly caption: string,
  ) {}

  /** @param owner name of the class or object, for captions and constraints */
  object(value: JsonObject, schema: ObjectSchema, owner: string, path: Path): void {
    if (path.length > maxDepth) return;
    const label = path.length === 0 ? this.caption : owner;
    if (owner === 'Fingerprint') checkFingerprint(this.report, value, path);
    for (const name of schema.required)
      if (value[name] === undefined)
        this.report.error([...path, name], 'required', `${name} is missing: ${label} requires it`);
    if (!schema.isFree) this.checkConstraint(value, owner, label, path);
    for (const [name, inner] of Object.entries(value)) {
      const here = [...path, name];
      if (this.isEmpty(inner, here)) continue;
      if (schema.isFree || freeAttributes.has(name)) continue;
      const attribute = schema.attributes.get(name);
      if (attribute === undefined) {
        this.report.warning(
          here,
          'unknown-attribute',
          `${label} of OCSF ${this.version} has no attribute ${name}: put it into unmapped`,
        );
        continue;
      }
      const since = deprecatedSince(owner, name, this.version);
      if (since !== undefined && !schema.required.includes(name))
        this.report.warning(here, 'deprecated', `${name} is deprecated since OCSF ${since}`);
      this.value(inner, attribute, name, value, owner, here);
    }
  }

  private value(
    value: unknown,
    attribute: Attribute,
    name: string,
    parent: JsonObject,
    owner: string,
    path: Path,
  ): void {
    if (isTime(name)) return this.checkTime(value, path);
    if (!fits(value, attribute.type)) {
      this.report.error(path, 'type', `${show(value)} is not a valid ${attribute.type}`);
      return;
    }
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    for (const [index, item] of items.entries()) {
      const here = Array.isArray(value) ? [...path, index] : path;
      if (attribute.items !== undefined && !fits(item, attribute.items))
        this.report.error(here, 'type', `${show(item)} is not a valid ${attribute.items}`);
      else if (attribute.values !== undefined && !attribute.values.includes(item))
        this.report.error(here, 'enum', `${show(item)} is not a value of ${name}`);
      else if (isObject(item) && attribute.object !== undefined)
        this.object(item, attribute.object, attribute.object.name, here);
      else checkFormat(this.report, name, item, this.version, here);
    }
    if (name.endsWith('_id') && typeof value === 'number')
      this.checkCaption(value, name, parent, owner, path);
    if (name.endsWith('_dt')) this.checkTwin(value, name, parent, path);
  }

  /** OCSF has no null, and an empty filler says less than a missing attribute. */
  private isEmpty(value: unknown, path: Path): boolean {
    const isFiller =
      value === null ||
      value === '' ||
      (Array.isArray(value) && value.length === 0) ||
      (isObject(value) && Object.keys(value).length === 0);
    if (isFiller)
      this.report.error(path, 'empty', `${show(value)} is not a value: leave the attribute out`);
    return isFiller;
  }

  private checkTime(value: unknown, path: Path): void {
    if (typeof value !== 'number' || !Number.isInteger(value))
      this.report.error(path, 'time', `${show(value)} is not a time in whole milliseconds`);
    else if (value < minTimeMs)
      this.report.error(path, 'time', `${value} looks like seconds: times are milliseconds`);
    else if (value > maxTimeMs)
      this.report.error(path, 'time', `${value} looks like microseconds: times are milliseconds`);
  }

  /** `time_dt` says the same as `time`. */
  private checkTwin(value: unknown, name: string, parent: JsonObject, path: Path): void {
    const twin = name.slice(0, -3);
    if (typeof value !== 'string' || !/^[^T]*T.*(?:Z|[+-]\d\d:\d\d)$/.test(value))
      this.report.error(path, 'time-dt', `${show(value)} is not an RFC 3339 time with its zone`);
    else if (parent[twin] === undefined)
      this.report.error(path, 'time-dt', `${name} needs ${twin} beside it`);
    else if (Date.parse(value) !== parent[twin])
      this.report.error(path, 'time-dt', `${name} is not the time of ${twin}`);
  }

  private checkCaption(
    value: number,
    name: string,
    parent: JsonObject,
    owner: string,
    path: Path,
  ): void {
    const sibling = name === 'activity_id' ? 'activity_name' : name.slice(0, -3);
    const text = parent[sibling];
    const here = [...path.slice(0, -1), sibling];
    const expected = captionsOf(owner, name)?.[value];
    if (value === 99) {
      // An observable type that the contract does not have still has the caption of OCSF.
      if (text === undefined || text === 'Other')
        this.report.warning(
          here,
          'other-caption',
          `${name} 99 needs the word of the source in ${sibling}`,
        );
    } else if (expected !== undefined && text !== undefined && text !== expected)
      this.report.warning(
        here,
        'caption',
        `the caption of ${name} ${value} is ${show(expected)}, not ${show(text)}`,
      );
    if (name === 'severity_id' && value === 6)
      this.report.warning(
        path,
        'severity',
        'severity 6 (Fatal) is not used by any vendor: 5 is critical',
      );
  }

  private checkConstraint(value: JsonObject, owner: string, label: string, path: Path): void {
    const constraint = constraintOf(owner, this.version);
    const has = (name: string) => value[name] !== undefined && value[name] !== null;
    const anyOf = constraint?.at_least_one;
    if (anyOf !== undefined && !anyOf.some(has))
      this.report.error(path, 'constraint', `${label} needs at least one of ${anyOf.join(', ')}`);
    const oneOf = constraint?.just_one;
    if (oneOf !== undefined && oneOf.filter(has).length !== 1)
      this.report.error(path, 'constraint', `${label} needs exactly one of ${oneOf.join(', ')}`);
  }
}

/** `metadata.original_time` is the text of the source. */
function isTime(name: string): boolean {
  return name === 'time' || (name.endsWith('_time') && name !== 'original_time');
}

function fits(value: unknown, type: Attribute['type']): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}
