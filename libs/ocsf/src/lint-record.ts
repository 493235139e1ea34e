import { captionOfCategory, captionOfClass } from './facts.js';
import { classLints } from './lint-classes.js';
import { lintMetadata } from './lint-metadata.js';
import { lintObservables } from './lint-observables.js';
import { ValueLint } from './lint-values.js';
import { isObject, type JsonObject, type LintResult, Report, show } from './report.js';
import { classByName, type ClassSchema, classOfRecord } from './schema.js';

export interface LintOptions {
  /** The class that the record must be of: schema of the contract, caption or number. By default the record says. */
  class?: string;
}

/**
 * Checks one OCSF record beyond its JSON schema: what the schema cannot say about ids, captions, times, observables and classes.
 * @throws RangeError for an unknown class in the options
 */
export function lintRecord(record: unknown, options: LintOptions = {}): LintResult {
  const report = new Report();
  if (!isObject(record)) {
    report.error([], 'type', `${show(record)} is not a record: it must be an object`);
    return report.result;
  }
  const expected = options.class === undefined ? undefined : classByName(options.class);
  if (options.class !== undefined && expected === undefined)
    throw new RangeError(
      `unknown class "${options.class}": give a caption, a number or a schema of the contract`,
    );
  const schema = expected ?? classOfRecord(record);
  if (schema === undefined) {
    report.error(
      ['class_uid'],
      'class-uid',
      `${show(record['class_uid'])} is not a class of the contract`,
    );
    return report.result;
  }
  lintClassification(record, schema, report);
  new ValueLint(report, schema.version, captionOf(schema)).object(record, schema, schema.name, []);
  lintMetadata(record, schema, report);
  lintObservables(record, report);
  lintUnmapped(record, report);
  classLints.get(schema.uid)?.(record, report);
  return report.result;
}

function captionOf({ className, uid, name }: ClassSchema): string {
  return className ?? captionOfClass(uid) ?? name;
}

/** Numbers of an extension start with its id: 98902001 is class 2001 of extension 989. */
const extensionFactor = 100_000;

/** Class, category, activity and type are one fact in several forms. */
function lintClassification(record: JsonObject, schema: ClassSchema, report: Report): void {
  if (record['class_uid'] !== schema.uid) {
    report.error(
      ['class_uid'],
      'class-uid',
      `class_uid must be ${schema.uid}, not ${show(record['class_uid'])}`,
    );
    return;
  }
  const caption = captionOf(schema);
  if (record['class_name'] !== undefined && record['class_name'] !== caption)
    report.error(
      ['class_name'],
      'class-name',
      `the caption of class ${schema.uid} is ${show(caption)}`,
    );
  const category = Math.floor((schema.uid % extensionFactor) / 1_000);
  if (record['category_uid'] !== undefined && record['category_uid'] !== category)
    report.error(
      ['category_uid'],
      'category-uid',
      `category_uid must be ${category} for class ${schema.uid}`,
    );
  const categoryName = record['category_name'];
  const expected = captionOfCategory(category);
  if (categoryName !== undefined && expected !== undefined && categoryName !== expected)
    report.warning(
      ['category_name'],
      'caption',
      `the caption of category ${category} is ${show(expected)}`,
    );
  const activity = record['activity_id'];
  const type = schema.uid * 100 + Number(activity);
  if (typeof activity === 'number' && record['type_uid'] !== type)
    report.error(
      ['type_uid'],
      'type-uid',
      `type_uid must be class_uid × 100 + activity_id: ${type}, not ${show(record['type_uid'])}`,
    );
}

/** Names of secrets that must not leave by `unmapped`. */
const secretPattern =
  /^(?:password|passwd|secret|api_?key|access_?token|client_?secret|private_?key)$/i;

function lintUnmapped(record: JsonObject, report: Report): void {
  const { unmapped } = record;
  if (!isObject(unmapped)) return;
  for (const [name, value] of Object.entries(unmapped)) {
    if (secretPattern.test(name))
      report.error(['unmapped', name], 'unmapped', `${name} looks like a secret: leave it out`);
    else if (Object.hasOwn(record, name) && record[name] === value)
      report.error(
        ['unmapped', name],
        'unmapped',
        `${name} is mapped already: leave it out of unmapped`,
      );
  }
  if (record['raw_data'] !== undefined && typeof record['raw_data'] !== 'string')
    report.error(['raw_data'], 'unmapped', 'raw_data is the record of the vendor as text');
}
