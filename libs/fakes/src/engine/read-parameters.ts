import type { Value } from '@onefold/mapping';
import type { FakeDocument, Parameter, Route } from '../document/fake-document.js';
import { FakeRefusal } from './messages.js';

type Values = Record<string, Value>;

/** Types and checks the parameters of a route that are in the query, or in the body. @throws FakeRefusal bad_parameter */
export function readParameters(
  document: FakeDocument,
  route: Route,
  place: Parameter['in'],
  given: Value,
): Value {
  const parameters = [...route.parameters.values()].filter((one) => one.in === place);
  if (place === 'query' && document.refusesUnknownParameters)
    for (const name of Object.keys(given as Values))
      if (!parameters.some((one) => one.name === name))
        refuse(name, 'is not a parameter of this route');
  if (parameters.length === 0) return given;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isObject && given !== null) throw new FakeRefusal('bad_body', 'it is not an object');
  const read: Values = { ...(given as Values) };
  for (const parameter of parameters)
    read[parameter.name] = readParameter(parameter, read[parameter.name]);
  return read;
}

function readParameter(parameter: Parameter, given: Value): Value {
  const { name, type, required, values, maxLength } = parameter;
  if (given === undefined || given === null || given === '') {
    if (required) refuse(name, 'is required');
    return parameter.default;
  }
  const value = convert(parameter, given);
  const one = Array.isArray(value) ? value : [value];
  if (values !== undefined && one.some((each) => !values.includes(each)))
    refuse(name, `must be one of ${values.join(', ')}`);
  if ((type === 'string' || type === 'list') && (value as { length: number }).length > maxLength)
    refuse(name, `must not be longer than ${maxLength}`);
  return value;
}

function convert(parameter: Parameter, given: Value): Value {
  const { name, type, split } = parameter;
  if (type === 'list') {
    const all: Value[] = Array.isArray(given) ? given : [given];
    return split === undefined
      ? all
      : all.flatMap((one) => (typeof one === 'string' ? one.split(split) : [one]));
  }
  if (Array.isArray(given)) refuse(name, 'occurs several times');
  switch (type) {
    case 'string':
      return typeof given === 'string' ? given : refuse(name, 'must be a text');
    case 'boolean':
      if (given === true || given === 'true') return true;
      if (given === false || given === 'false') return false;
      return refuse(name, 'must be true or false');
    case 'time': {
      const time = typeof given === 'number' ? given : Date.parse(String(given));
      return Number.isNaN(time) ? refuse(name, 'must be a time') : time;
    }
    default:
      return readNumber(parameter, given);
  }
}

function readNumber(parameter: Parameter, given: Value): number {
  const { name, type, minimum, maximum, clamp } = parameter;
  const isText = typeof given === 'string' && /^-?\d+(\.\d+)?$/.test(given);
  const number = isText ? Number(given) : typeof given === 'number' ? given : NaN;
  if (Number.isNaN(number) || (type === 'integer' && !Number.isInteger(number)))
    return refuse(name, type === 'integer' ? 'must be a whole number' : 'must be a number');
  if (clamp) return Math.min(maximum, Math.max(minimum, number));
  if (number < minimum) refuse(name, `must be at least ${minimum}`);
  if (number > maximum) refuse(name, `must be at most ${maximum}`);
  return number;
}

function refuse(name: string, why: string): never {
  throw new FakeRefusal('bad_parameter', `${name} ${why}`, { parameter: name });
}
