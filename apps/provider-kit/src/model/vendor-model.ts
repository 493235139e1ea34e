import { parse } from 'yaml';
import type { ProviderFolder } from '../folders.js';
import { fieldsOfSchema, type ModelField, type Schema } from './schema-fields.js';

/** A kind of records of a vendor, with the fields that the vendor says they have. */
export interface ModelRecord {
  /** The vendor's name. */
  name: string;
  /** The mapping of the document that reads it. */
  mapping: string;
  /** Where the vendor, or a client of the vendor's, describes it. */
  source: string;
  fields: ModelField[];
  /** Values of fields that identify a record or choose its class, by paths. */
  always: Record<string, unknown>;
  /** Makes what the mapping reads of the vendor's record; the record itself when absent. */
  input: string | undefined;
  /** Path parameters of the operation, which mappings see. */
  path: Record<string, string>;
  /** The names that the requests of an operation select; undefined where they ask for all. */
  selectedBy: string | undefined;
  /** Fields that are nowhere in our records, as patterns of their paths, each with the reason. */
  dropped: Record<string, string>;
}

interface RecordSource extends Partial<Pick<ModelRecord, 'always' | 'input' | 'path' | 'dropped'>> {
  mapping: string;
  source: string;
  /** Name of a schema of the folder's description, in place of fields. */
  schema?: string;
  /** Paths by kind, with blanks between them. */
  fields?: Record<string, string>;
  selected_by?: string;
}

/** The kinds of records of a vendor. */
export interface VendorModel {
  records: ModelRecord[];
  /** Mappings of records whose fields nobody has listed, each with the reason. */
  without: Record<string, string>;
}

const file = 'model.yaml';

/** True for a folder that says which fields the vendor's records have. */
export function hasModel(folder: ProviderFolder): boolean {
  return folder.has(file);
}

/** Reads the model of a vendor. @throws Error if the description lacks a schema that it names */
export function readModel(folder: ProviderFolder): VendorModel {
  const { records, without = {} } = parse(folder.read(file)) as {
    records: Record<string, RecordSource>;
    without?: Record<string, string>;
  };
  const read = Object.entries(records).map(([name, source]) => ({
    name,
    mapping: source.mapping,
    source: source.source,
    fields: readFields(folder, source),
    always: source.always ?? {},
    input: source.input,
    path: source.path ?? {},
    selectedBy: source.selected_by,
    dropped: source.dropped ?? {},
  }));
  return { records: read, without };
}

function readFields(folder: ProviderFolder, { schema, fields = {} }: RecordSource): ModelField[] {
  if (schema === undefined)
    return Object.entries(fields).flatMap(([kind, paths]) =>
      paths.split(/\s+/).flatMap((path) => (path === '' ? [] : { path, kind })),
    );
  const document: unknown = JSON.parse(folder.read('description/openapi.json'));
  return fieldsOfSchema(document, { $ref: `#/components/schemas/${schema}` } satisfies Schema);
}
