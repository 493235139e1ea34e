import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Element, Elements } from './elements.js';

/** Lists the fields, arguments and values of a GraphQL schema. */
export function readGraphQl(text: string): Elements {
  const types = Object.values(buildSchema(text, { assumeValid: true }).getTypeMap());
  const elements = types.filter(({ name }) => !name.startsWith('__')).flatMap(elementsOf);
  return new Map(elements.map((element) => [element.place, element]));
}

function elementsOf(type: GraphQLNamedType): Element[] {
  const of = type.name;
  if (isEnumType(type))
    return type.getValues().map(({ name, deprecationReason }) => ({
      kind: 'value',
      place: `${of} = ${name}`,
      word: name,
      of,
      deprecated: isGiven(deprecationReason),
    }));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => fieldOf(of, field));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    const place = `${of}.${field.name}`;
    const parameters = field.args.map(({ name, deprecationReason }): Element => ({
      kind: 'parameter',
      place: `${place}(${name})`,
      word: name,
      of: place,
      deprecated: isGiven(deprecationReason),
    }));
    return [fieldOf(of, field), ...parameters];
  });
}

function fieldOf(
  of: string,
  { name, deprecationReason }: { name: string; deprecationReason?: string | null | undefined },
): Element {
  const deprecated = isGiven(deprecationReason);
  return { kind: 'field', place: `${of}.${name}`, word: name, deprecated, of };
}

function isGiven(reason: string | null | undefined): boolean {
  return reason !== null && reason !== undefined;
}
