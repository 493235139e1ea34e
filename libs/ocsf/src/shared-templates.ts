import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type CompiledTemplate, compileTemplate } from '@onefold/mapping';

export interface SharedTemplate {
  about: string;
  template: string;
  /** Pairs of a value and what the template makes of it. */
  examples: readonly (readonly [input: unknown, output: unknown])[];
}

const files = ['severity', 'values', 'objects', 'classes', 'countries', 'text', 'ecs'] as const;

let sources: ReadonlyMap<string, SharedTemplate> | undefined;

/** All shared templates by name, in the order of the files. They are read at the first call. */
export function sharedTemplateSources(): ReadonlyMap<string, SharedTemplate> {
  sources ??= new Map(
    files.flatMap((name) => {
      const url = new URL(`./templates/${name}.yaml`, import.meta.url);
      return Object.entries(parse(readFileSync(url, 'utf8')) as Record<string, SharedTemplate>);
    }),
  );
  return sources;
}

const compiled = new Map<string, CompiledTemplate>();

/**
 * Finds a shared template for `.apply("ocsf.…")` or `.apply("text.…")` in any mapping document; undefined for another name.
 * A template is compiled when it is first applied, so that processes which never use one do not read them.
 */
export function sharedTemplate(name: string): CompiledTemplate | undefined {
  if (!name.startsWith('ocsf.') && !name.startsWith('text.')) return undefined;
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const source = sharedTemplateSources().get(name);
  if (source === undefined) return undefined;
  const template = compileTemplate(source.template);
  compiled.set(name, template);
  return template;
}
