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

const file = parse(readFileSync(new URL('./facts.yaml', import.meta.url), 'utf8')) as FactsFile;

/** The contract writes names of objects and classes without underscores. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

const captions = new Map(
  Object.entries(file.captions).map(([key, value]) => {
    const [owner = '', attribute] = key.split('.');
    return [attribute === undefined ? key : `${plain(owner)}.${attribute}`, value];
  }),
);

/** Captions of an enumeration in an object or class; undefined where OCSF has none. */
export function captionsOf(owner: string, attribute: string): Captions | undefined {
  return captions.get(`${plain(owner)}.${attribute}`) ?? captions.get(attribute);
}

export const categoryCaptions = file.categories;
export const classCaptions = file.classes;

const formats = new Map<string, FormatName>();
for (const [format, attributes] of Object.entries(file.types))
  for (const attribute of attributes) formats.set(attribute, format as FormatName);

export function formatOf(attribute: string): FormatName | undefined {
  return formats.get(attribute);
}

/** The constraint of an object or class in a version: the newest one that is not newer than the version. */
export function constraintOf(owner: string, version: string): Constraint | undefined {
  return file.constraints
    .filter((one) => plain(one.of) === plain(owner) && one.from <= version)
    .sort((one, other) => (one.from < other.from ? -1 : 1))
    .at(-1);
}

const deprecated = new Map(
  Object.entries(file.deprecated).map(([key, since]) => {
    const [owner = '', attribute = ''] = key.split('.');
    return [`${plain(owner)}.${attribute}`, since];
  }),
);

/** The version since which an attribute is deprecated, if it already is in this version. */
export function deprecatedSince(
  owner: string,
  attribute: string,
  version: string,
): string | undefined {
  const since = deprecated.get(`${plain(owner)}.${attribute}`) ?? deprecated.get(`*.${attribute}`);
  return since !== undefined && since <= version ? since : undefined;
}
