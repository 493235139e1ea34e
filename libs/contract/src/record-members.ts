import type { BodyFields } from './body-fields.js';
import type { OperationId } from './operations.js';
import { recordShapes, type Shape } from './record-shapes.js';

/** Returns the members of the records that a connector operation returns, nested ones too; true if they are free. */
export function recordMembers(id: OperationId): BodyFields {
  const shape = recordShapes().records[id];
  return shape === undefined ? true : membersOf(shape, []);
}

/** @param above the types around the shape: a type that contains itself is free there */
function membersOf(shape: Shape, above: readonly string[]): BodyFields {
  const text = typeof shape === 'string' ? shape.replace(/^\?/, '') : '';
  if (text.startsWith('[]')) return { '*': membersOf(text.slice(2), above) };
  const name = text.startsWith('#') ? text.slice(1) : '';
  const type = recordShapes().types[name];
  if (type === undefined || !('fields' in type) || above.includes(name)) return true;
  return Object.fromEntries(
    Object.entries(type.fields).map(([field, inner]) => [
      field,
      membersOf(inner, [...above, name]),
    ]),
  );
}
