// Makes the Python client of the contract: the operations as methods, and the types of what they take and return.
const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const plain = /^[A-Za-z_]\w*$/;

/**
 * Returns the text of `types.py` and `groups.py`.
 * @param documents the OpenAPI documents by side @param groups the operations by group @param describe the line of an operation
 */
export function pythonOf(documents, groups, describe) {
  const types = new Types(documents);
  const classes = [];
  for (const [group, operations] of groups) {
    const name = `${group[0].toUpperCase()}${group.slice(1)}`;
    const methods = operations.map((operation) => methodOf(operation, documents, types, describe));
    classes.push(
      `class ${name}(Group):\n    """Operations of ${group}."""\n\n${methods.join('\n')}`,
    );
  }
  const attributes = [...groups.keys()].map((group) => {
    const name = `${group[0].toUpperCase()}${group.slice(1)}`;
    return `        self.${snake(group)} = ${name}(options)`;
  });
  const head =
    '# Made of the contract by libs/client/build.mjs.\nfrom __future__ import annotations\n\n';
  return {
    groups: `${head}from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from .._client import ClientOptions, Group
from .._lists import ListCall
from .._send import CallOptions, DownloadedFile, Upload

if TYPE_CHECKING:
    from . import types as t


${classes.join('\n\n')}

class Onefold:
    """A client of every operation of the API: \`Onefold(url, token).ticketing.query_tickets()\`."""

    def __init__(
        self,
        url: str,
        token: str | Callable[[], str] | None = None,
        *,
        timeout: float | None = None,
        max_retries: int = 3,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        options = ClientOptions(url, token, timeout, max_retries, headers or {})
${attributes.join('\n')}
`,
    types: `${head}from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n\n${types.text()}`,
  };
}

function snake(name) {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
}

function methodOf(operation, documents, types, describe) {
  const { id, group, side, method, path, response } = operation;
  const described = documents[side].paths[path][method.toLowerCase()];
  const name = safe(snake(id.slice(group.length + 1)));
  const parameters = (described.parameters ?? [])
    .filter((one) => one.in === 'path' || one.in === 'query')
    .map((one) => {
      const isRequired = one.required === true;
      const type = one.schema.type?.includes?.('array')
        ? 'Sequence[str]'
        : types
            .of(side, one.schema, `${pascal(id)}_${pascal(one.name)}`, 't.')
            .replaceAll(/ \| None\b/g, '');
      return { wire: one.name, name: safe(snake(one.name)), isRequired, type };
    });
  const body = described.requestBody;
  if (body !== undefined) {
    const json = body.content['application/json'];
    // A method of the group may be called list.
    const type = json
      ? types.of(side, json.schema, `${pascal(id)}_Body`, 't.').replaceAll(/\blist\[/g, 'Sequence[')
      : 'Upload';
    parameters.push({ wire: 'body', name: 'body', isRequired: body.required === true, type });
  }
  const answer = described.responses['200']?.content?.['application/json']?.schema;
  const result =
    answer === undefined ? 'None' : types.of(side, answer, `${pascal(id)}_Response`, 't.');
  const isList = response.cursor || operation.query.start_after !== undefined;
  const record = isList ? types.recordOf(side, answer, `${pascal(id)}_Record`) : '';
  const [returns, send] = isList
    ? [`ListCall[${result}, ${record}]`, '_list']
    : response.kind === 'binary'
      ? ['DownloadedFile', '_file']
      : [result, '_json'];
  const required = parameters.filter((one) => one.isRequired);
  const optional = parameters.filter((one) => !one.isRequired);
  const signature = [
    ...required.map((one) => `${one.name}: ${one.type}`),
    ...optional.map((one) => `${one.name}: ${one.type} | None = None`),
    'call: CallOptions | None = None',
  ];
  const values = parameters.map((one) => `"${one.wire}": ${one.name}`);
  const contents = Object.entries(described.responses['200']?.content ?? {});
  const tried = contents.find(([type]) => type.endsWith('.dry-run+json'))?.[1].schema;
  const dryRun = tried === undefined ? undefined : types.of(side, tried, 'DryRun', 't.');
  const define = (returned, dryRunArgument) => `    def ${name}(
        self,
        *,
${signature.map((one) => `        ${dryRunArgument !== undefined && one.startsWith('dry_run:') ? dryRunArgument : one},`).join('\n')}
    ) -> ${returned}:`;
  // `dry_run=True` returns what would be sent, in place of what the write returns.
  const overloads =
    dryRun === undefined
      ? ''
      : [
          [dryRun, 'dry_run: Literal[True]'],
          [returns, 'dry_run: Literal[False] | None = None'],
          [`${returns} | ${dryRun}`, 'dry_run: bool | None = None'],
        ]
          .map(([returned, argument]) => `    @overload\n${define(returned, argument)} ...\n`)
          .join('\n');
  const type = dryRun === undefined ? result : `${result} | ${dryRun}`;
  return `${overloads === '' ? '' : `${overloads}\n`}${define(dryRun === undefined ? returns : `${returns} | ${dryRun}`)}
        """${(described.summary ?? id).replaceAll('\\', '\\\\')}."""
        ${send !== '_json' ? 'return ' : type === 'None' ? '' : `answer: ${type} = `}self.${send}(
            "${describe(operation)}",
            {${values.join(', ')}},
            call,
        )
${send === '_json' && type !== 'None' ? '        return answer\n' : ''}`;
}

function pascal(text) {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function safe(name) {
  return keywords.has(name) ? `${name}_` : name;
}

/** The schemas that operations use, as typed dictionaries. Schemas of one name that differ between the two APIs are told apart by the side. */
class Types {
  constructor(documents) {
    this.documents = documents;
    this.written = new Map();
  }

  /** Returns the Python type of a schema. @param hint the name of its class, if it is an object without a name */
  of(side, schema, hint, prefix = '') {
    const union = new Set();
    this.collect(side, schema, hint, prefix, union);
    if (union.has('Any')) return 'Any';
    const hasNone = union.delete('None');
    return [...union, ...(hasNone ? ['None'] : [])].join(' | ') || 'Any';
  }

  collect(side, schema, hint, prefix, union) {
    if (schema === undefined || schema === true) return union.add('Any');
    if (schema.$ref !== undefined)
      return union.add(this.named(side, schema.$ref.split('/').at(-1), prefix));
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined)
      return either.forEach((one, index) =>
        this.collect(side, one, `${hint}${index + 1}`, prefix, union),
      );
    if (schema.const !== undefined) return union.add(literal([schema.const]));
    if (schema.enum !== undefined) {
      const values = schema.enum.filter((value) => value !== null);
      if (values.length > 0) union.add(literal(values));
      if (values.length < schema.enum.length) union.add('None');
      return undefined;
    }
    if (schema.type === undefined && schema.properties === undefined) return union.add('Any');
    for (const type of [schema.type ?? 'object'].flat()) {
      if (type === 'null') union.add('None');
      else if (type === 'string') union.add('str');
      else if (type === 'integer') union.add('int');
      else if (type === 'number') union.add('float');
      else if (type === 'boolean') union.add('bool');
      else if (type === 'array')
        union.add(`list[${this.of(side, schema.items, `${hint}Item`, prefix)}]`);
      else if (schema.properties !== undefined) union.add(this.object(side, schema, hint, prefix));
      else {
        const { additionalProperties: more } = schema;
        const value =
          typeof more === 'object' ? this.of(side, more, `${hint}Value`, prefix) : 'Any';
        union.add(`dict[str, ${value}]`);
      }
    }
    return undefined;
  }

  /** The type of the records of a list. */
  recordOf(side, schema, hint) {
    const resolve = (one) =>
      one?.$ref ? this.documents[side].components.schemas[one.$ref.split('/').at(-1)] : one;
    const { items } = resolve(resolve(schema).properties.result) ?? {};
    return items === undefined ? 'Any' : this.of(side, items, hint, 't.');
  }

  named(side, name, prefix) {
    const own = this.documents[side].components.schemas[name];
    const other =
      this.documents[side === 'connector' ? 'management' : 'connector'].components.schemas[name];
    const isShared = other !== undefined && JSON.stringify(own) === JSON.stringify(other);
    const base = name.replaceAll(/\W/g, '_');
    const type = other === undefined || isShared ? base : `${base}_${side}`;
    const key = `schema:${type}`;
    if (!this.written.has(key)) {
      this.written.set(key, ''); // A schema may contain itself.
      const isObject = own.properties !== undefined && !own.anyOf && !own.oneOf;
      if (isObject) this.object(side, own, type, '', key);
      else {
        const value = this.of(side, own, `${type}_`);
        // A string, because it may name what stands below.
        this.written.set(key, `${type}: TypeAlias = ${JSON.stringify(value)}\n`);
      }
    }
    return `${prefix}${type}`;
  }

  object(side, schema, name, prefix, key = `inline:${name}`) {
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties).map(([field, one]) => {
      const type = this.of(side, one, `${name}_${field.replaceAll(/\W/g, '_')}`);
      return [field, required.has(field) ? type : `NotRequired[${type}]`];
    });
    const isClass = fields.every(([field]) => plain.test(field) && !keywords.has(field));
    const lines = fields.map(([field, type]) =>
      isClass
        ? `    ${field}: ${type}`
        : `        ${JSON.stringify(field)}: ${JSON.stringify(type)},`,
    );
    this.written.set(
      key,
      isClass
        ? `class ${name}(TypedDict):\n${lines.join('\n') || '    pass'}\n`
        : `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)\n`,
    );
    return `${prefix}${name}`;
  }

  text() {
    return [...this.written.values()].join('\n\n');
  }
}

function literal(values) {
  return `Literal[${values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))).join(', ')}]`;
}
