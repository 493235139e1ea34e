// class-validator's decorators, each from its own file: the index of the package loads the numbering plans of all countries and 300 other
// files that no setting needs, in every process at its start.
import { createRequire } from 'node:module';
import type * as classValidator from 'class-validator';

type ClassValidator = typeof classValidator;

const require = createRequire(import.meta.url);

function load<Name extends keyof ClassValidator>(folder: string, name: Name): ClassValidator[Name] {
  const file = require(`class-validator/cjs/${folder}/${name}.js`) as Pick<ClassValidator, Name>;
  return file[name];
}

export const IsArray = load('decorator/typechecker', 'IsArray');
export const IsBoolean = load('decorator/typechecker', 'IsBoolean');
export const IsIn = load('decorator/common', 'IsIn');
export const IsInstance = load('decorator/object', 'IsInstance');
export const IsInt = load('decorator/typechecker', 'IsInt');
export const IsNotEmpty = load('decorator/common', 'IsNotEmpty');
export const IsNumber = load('decorator/typechecker', 'IsNumber');
export const IsOptional = load('decorator/common', 'IsOptional');
export const IsString = load('decorator/typechecker', 'IsString');
export const IsUrl = load('decorator/string', 'IsUrl');
export const Matches = load('decorator/string', 'Matches');
export const Max = load('decorator/number', 'Max');
export const Min = load('decorator/number', 'Min');
/** Checks the decorated properties of an object. */
export const Validator = load('validation', 'Validator');
