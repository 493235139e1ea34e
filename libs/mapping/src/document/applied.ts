import type { ApplyMap, Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { CompiledTemplate } from './template.js';
import { equal, Nothing, type Value } from '../language/values.js';
import { casts } from './casts.js';

/** A data type of a document: how values of it are made, and which are left out. */
export interface DataType {
  transform: CompiledTemplate | undefined;
  ignored: readonly unknown[];
}

type Applied = (target: Value, run: Run) => Value;

/** Finds a template that is shared by many documents; undefined for an unknown name. */
export type SharedTemplates = (name: string) => CompiledTemplate | undefined;

const noSharedTemplates: SharedTemplates = () => undefined;

/**
 * Makes the function behind `.apply("name")`: it looks for the name in the document's data types, then its templates, then the
 * built-in casts, then the shared templates. Shared templates find each other the same way, so a document can replace one.
 */
export function appliedIn(
  types: ReadonlyMap<string, DataType>,
  templates: ReadonlyMap<string, CompiledTemplate>,
  shared: SharedTemplates = noSharedTemplates,
): ApplyMap {
  const known = new Map<string, Applied>(casts);
  for (const [name, template] of templates) known.set(name, applied(template));
  for (const [name, { transform, ignored }] of types) {
    const made = transform ? applied(transform) : (known.get(name) ?? unchanged);
    known.set(name, ignored.length === 0 ? made : unless(ignored, made));
  }
  return (run, name, target) => {
    const found = known.get(name);
    if (found !== undefined) return found(target, run);
    const template = shared(name);
    if (template === undefined) throw new RunError(`there is no template "${name}"`);
    return template.applyTo(run, target);
  };
}

/** The names that `.apply` finds in a document beside shared templates. */
export function appliedNamesOf(
  types: ReadonlyMap<string, unknown>,
  templates: ReadonlyMap<string, unknown>,
): Set<string> {
  return new Set([...types.keys(), ...templates.keys(), ...casts.keys()]);
}

const unchanged: Applied = (target) => target;

function applied(template: CompiledTemplate): Applied {
  return (target, run) => template.applyTo(run, target);
}

function unless(ignored: readonly unknown[], made: Applied): Applied {
  return (target, run) => (ignored.some((one) => equal(one, target)) ? Nothing : made(target, run));
}
