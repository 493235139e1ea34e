import { servedSchemas } from '#contract';

/** A schema of the contract, as far as the lint reads it. */
interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: readonly unknown[];
  const?: unknown;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** Attribute of a class or object. */
export interface Attribute {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any';
  /** Allowed values of an enumeration. */
  values: readonly unknown[] | undefined;
  /** Object of the attribute, or of the items of a list. */
  object: ObjectSchema | undefined;
  /** Type of the items of a list. */
  items: Attribute['type'] | undefined;
}

/** An object or class of one OCSF version in the contract. */
export interface ObjectSchema {
  /** Name in the contract without its version: `Device`, `detectionfinding`. */
  name: string;
  /** Free-form objects such as `unmapped` have no attributes to check. */
  isFree: boolean;
  attributes: ReadonlyMap<string, Attribute>;
  required: readonly string[];
}

export interface ClassSchema extends ObjectSchema {
  /** Name of the schema in the contract: `v1_3_0.detectionfinding.DetectionFinding`. */
  schema: string;
  uid: number;
  version: string;
  /** Caption that the union of events requires as `class_name`. */
  className: string | undefined;
}

let schemas: Record<string, JsonSchema> | undefined;

function allSchemas(): Record<string, JsonSchema> {
  schemas ??= servedSchemas<JsonSchema>('connector');
  return schemas;
}

const prefix = '#/components/schemas/';

function followReference(schema: JsonSchema): { name: string | undefined; schema: JsonSchema } {
  const present = schema.anyOf?.find((one) => one.type !== 'null') ?? schema;
  if (present.$ref === undefined) return { name: undefined, schema: present };
  const name = present.$ref.slice(prefix.length);
  return { name, schema: allSchemas()[name] ?? {} };
}

function typeOf(schema: JsonSchema): Attribute['type'] {
  const type = [schema.type].flat().find((one) => one !== 'null');
  return (type as Attribute['type'] | undefined) ?? (schema.properties ? 'object' : 'any');
}

const objects = new Map<string, ObjectSchema>();

function objectOf(name: string, schema: JsonSchema): ObjectSchema {
  const known = objects.get(name);
  if (known !== undefined) return known;
  const attributes = new Map<string, Attribute>();
  const made: ObjectSchema = {
    name: name.slice(name.lastIndexOf('.') + 1),
    isFree: schema.properties === undefined,
    attributes,
    required: schema.required ?? [],
  };
  // Known before its attributes are read, because objects refer to themselves.
  objects.set(name, made);
  for (const [key, value] of Object.entries(schema.properties ?? {}))
    attributes.set(key, attributeOf(value));
  return made;
}

function attributeOf(schema: JsonSchema): Attribute {
  const { name, schema: followed } = followReference(schema);
  const type = typeOf(followed);
  const inner =
    type === 'array' ? followReference(followed.items ?? {}) : { name, schema: followed };
  return {
    type,
    values: inner.schema.enum ?? followed.enum,
    object:
      inner.name !== undefined && typeOf(inner.schema) === 'object'
        ? objectOf(inner.name, inner.schema)
        : undefined,
    items: type === 'array' ? typeOf(inner.schema) : undefined,
  };
}

let classes: readonly ClassSchema[] | undefined;

/** All classes that the contract has, in the order of their versions. */
export function allClasses(): readonly ClassSchema[] {
  classes ??= Object.entries(allSchemas())
    .flatMap(([schema, value]): ClassSchema[] => {
      const reference = value.properties?.['class_uid']?.$ref;
      const parts = /(v(\d+)_(\d+)_(\d+)\.(\w+))\.ClassUid$/.exec(reference ?? '');
      const uid = allSchemas()[reference?.slice(prefix.length) ?? '']?.enum?.[0];
      if (parts === null || typeof uid !== 'number') return [];
      const constant = value.properties?.['class_name']?.const;
      return [
        {
          ...objectOf(schema, value),
          name: parts[5] ?? '',
          schema,
          uid,
          version: `${parts[2]}.${parts[3]}.${parts[4]}`,
          className: typeof constant === 'string' ? constant : undefined,
        },
      ];
    })
    .sort((one, other) => (one.version < other.version ? -1 : 1));
  return classes;
}

/**
 * The class that a record claims to be: by the caption that the union of events requires, or by class and version.
 * A version that the contract does not have for the class gives the newest one, so that the rest can be checked.
 */
export function classOfRecord(record: Readonly<Record<string, unknown>>): ClassSchema | undefined {
  const metadata = record['metadata'] as { version?: unknown } | undefined;
  const candidates = allClasses().filter((one) => one.uid === record['class_uid']);
  const isEvent = record['class_name'] !== undefined;
  return (
    candidates.find(
      (one) => one.version === metadata?.version && (one.className !== undefined) === isEvent,
    ) ??
    candidates.find((one) => one.version === metadata?.version) ??
    candidates.at(-1)
  );
}

/** A class by the name of its schema, its caption or its number; the newest version of several. */
export function classByName(name: string): ClassSchema | undefined {
  const isName = (one: ClassSchema) =>
    one.schema === name || one.className === name || String(one.uid) === name;
  return allClasses().findLast(isName);
}
