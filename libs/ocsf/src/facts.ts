import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Captions = Readonly<Record<number, string>>;

interface FactsFile {
  captions: Record<string, Captions>;
  categories: Captions;
  classes: Captions;
  types: Record<FormatName, string[]>;
  constraints: (Constraint & { of: string; from: string })[];
  deprecated: Record<string, string>;
}

/** Formats of text attributes that are checked. */
export type FormatName = 'ip_t' | 'mac_t' | 'email_t' | 'hostname_t' | 'subnet_t' | 'port_t';

export interface Constraint {
  at_least_one?: readonly string[];
  just_one?: readonly string[];
}

let file: FactsFile | undefined;

/** Most processes never lint, so the table is read at its first use. */
function facts(): FactsFile {
  const url = new URL('./facts.yaml', import.meta.url);
  return (file ??= parse(readFileSync(url, 'utf8')) as FactsFile);
}

const plainNames = new Map<string, string>();

/** The contract writes names of objects and classes without underscores. They are a few hundred, and asked for with every attribute. */
function plain(name: string): string {
  let found = plainNames.get(name);
  if (found === undefined) plainNames.set(name, (found = name.replaceAll('_', '').toLowerCase()));
  return found;
}

/** Makes a map whose keys are an attribute, or an owner without underscores and its attribute. */
function byOwner<T>(table: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(
    Object.entries(table).map(([key, value]) => {
      const [owner = '', attribute] = key.split('.');
      return [attribute === undefined ? key : `${plain(owner)}.${attribute}`, value];
    }),
  );
}

let captions: ReadonlyMap<string, Captions> | undefined;

/** Captions of an enumeration in an object or class; undefined where OCSF has none. */
export function captionsOf(owner: string, attribute: string): Captions | undefined {
  captions ??= byOwner(facts().captions);
  return captions.get(`${plain(owner)}.${attribute}`) ?? captions.get(attribute);
}

export function captionOfCategory(uid: number): string | undefined {
  return facts().categories[uid];
}

export function captionOfClass(uid: number): string | undefined {
  return facts().classes[uid];
}

let formats: ReadonlyMap<string, FormatName> | undefined;

export function formatOf(attribute: string): FormatName | undefined {
  formats ??= new Map(
    Object.entries(facts().types).flatMap(([format, attributes]) =>
      attributes.map((name): [string, FormatName] => [name, format as FormatName]),
    ),
  );
  return formats.get(attribute);
}

let constraints: ReadonlyMap<string, FactsFile['constraints']> | undefined;

/** The constraint of an object or class in a version: the newest one that is not newer than the version. */
export function constraintOf(owner: string, version: string): Constraint | undefined {
  constraints ??= constraintsByOwner();
  return constraints.get(plain(owner))?.findLast(({ from }) => from <= version);
}

/** The oldest of an owner first. */
function constraintsByOwner(): ReadonlyMap<string, FactsFile['constraints']> {
  const found = new Map<string, FactsFile['constraints']>();
  for (const one of facts().constraints.toSorted((a, b) => (a.from < b.from ? -1 : 1)))
    found.set(plain(one.of), [...(found.get(plain(one.of)) ?? []), one]);
  return found;
}

let deprecated: ReadonlyMap<string, string> | undefined;

/** The version since which an attribute is deprecated, if it already is in this version. */
export function deprecatedSince(
  owner: string,
  attribute: string,
  version: string,
): string | undefined {
  deprecated ??= byOwner(facts().deprecated);
  const since = deprecated.get(`${plain(owner)}.${attribute}`) ?? deprecated.get(`*.${attribute}`);
  return since !== undefined && since <= version ? since : undefined;
}
