/** A part of JSON Schema, as capabilities and the OpenAPI documents have it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  title?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  additionalProperties?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  writeOnly?: boolean;
  'x-secret'?: boolean;
  /** Values of `enum` in words. */
  'x-enum-labels'?: Readonly<Record<string, unknown>>;
}

/** Finds what a reference such as `#/components/schemas/AwsRegion` means. */
export type Resolve = (reference: string) => Schema | undefined;

/** Makes the function that resolves the references of an OpenAPI document. */
export function resolverOf(document: unknown): Resolve {
  const { components = {} } = (document ?? {}) as {
    components?: { schemas?: Record<string, Schema> };
  };
  return (reference) => components.schemas?.[reference.split('/').at(-1) ?? ''];
}

/** Follows references, and takes the null out of a value that may be null. */
export function plain(schema: Schema, resolve: Resolve): Schema {
  if (schema.$ref !== undefined) {
    const { $ref, ...beside } = schema;
    const found = resolve($ref);
    return found === undefined ? beside : plain({ ...found, ...beside }, resolve);
  }
  const { anyOf, ...rest } = schema;
  const others = anyOf?.filter(({ type }) => type !== 'null');
  if (others?.length === 1 && others[0] !== undefined)
    return plain({ ...others[0], ...rest }, resolve);
  return schema;
}

/** The type of a schema besides null; undefined if it has none or several. */
export function typeOf({ type }: Schema): string | undefined {
  const all = [type ?? []].flat().filter((one) => one !== 'null');
  return all.length === 1 ? all[0] : undefined;
}

/** Whether a schema contains a reference anywhere. */
export function hasReferences(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasReferences);
  if (typeof schema !== 'object' || schema === null) return false;
  return '$ref' in schema || Object.values(schema).some(hasReferences);
}

const whole: Record<string, string> = { id: 'ID', url: 'URL', api: 'API', arn: 'ARN', tls: 'TLS' };

/** `default_project` → `Default project`, `accountId` → `Account ID` */
export function humanize(name: string): string {
  const parts = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\-.]+/);
  const words = parts.map((word) => whole[word] ?? word);
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
