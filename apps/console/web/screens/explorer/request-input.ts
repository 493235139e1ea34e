import type { Input } from '../../api/operations.js';
import { type Field, readFields } from '../../forms/fields.js';
import { requestFaults } from '../../forms/faults.js';
import { objectOf, type Values } from '../../forms/values.js';
import type { ApiDocument, Declared } from '../../api/api-documents.js';

export interface ParameterFields {
  path: readonly Field[];
  query: readonly Field[];
}

/** Reads the parameters of an operation as fields. @param without names of parameters with inputs of their own */
export function parameterFields(
  { parameters }: Declared,
  { resolve }: ApiDocument,
  without: ReadonlySet<string>,
): ParameterFields {
  const at = (place: 'path' | 'query') => {
    const here = parameters.filter((one) => one.in === place && !without.has(one.name));
    const schema = {
      properties: Object.fromEntries(
        here.map(({ name, schema, description }) => [
          name,
          description === undefined ? schema : { description, ...schema },
        ]),
      ),
      required: here.flatMap(({ name, required }) => (required ? name : [])),
    };
    return readFields(schema, `/${place}`, resolve);
  };
  return { path: at('path'), query: at('query') };
}

/** Builds the path parameters of an operation from what was typed. */
export function pathOf({ path }: ParameterFields, values: Values): Record<string, string> {
  return objectOf(path, values) as Record<string, string>;
}

/** Builds the input of an operation from what was typed. */
export function inputOf(
  fields: ParameterFields,
  values: Values,
  more: { body: string; filter: readonly string[]; meta: readonly string[] },
): Input {
  const { body, filter, meta } = more;
  return {
    path: pathOf(fields, values),
    query: {
      ...(objectOf(fields.query, values) as NonNullable<Input['query']>),
      ...(filter.length === 0 ? {} : { filter }),
      ...(meta.length === 0 ? {} : { meta }),
    },
    ...(body.trim() === '' ? {} : { body }),
  };
}

/** The input with the names of path parameters where those are empty, for a command that somebody completes. */
export function withPlaceholders({ parameters }: Declared, input: Input): Input {
  const names = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  return {
    ...input,
    path: {
      ...Object.fromEntries(names.map((name) => [name, placeholderOf(name)])),
      ...input.path,
    },
  };
}

/** `ticketId` → `TICKET_ID` */
function placeholderOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
}

/** Finds the faults of parameters, by the place of their fields. */
export function parameterFaults(error: Error | undefined): Map<string, string> {
  return new Map(
    requestFaults(error).flatMap(({ location, id, message }) =>
      location === 'path' || location === 'query' ? [[`/${location}/${id}`, message]] : [],
    ),
  );
}

/** Says why a body is not valid; undefined if nothing is known. */
export function bodyFault(body: string, error: Error | undefined): string | undefined {
  const ofBody = requestFaults(error).filter(({ location }) => location === 'body');
  if (ofBody.length > 0)
    return ofBody.map(({ id, message }) => `${id || 'body'}: ${message}`).join(' ');
  if (body.trim() === '') return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (failure) {
    return `This is not JSON: ${failure instanceof Error ? failure.message : ''}.`;
  }
}
