import { parse } from 'yaml';
import { readFakeFile } from '#fakes';
import {
  compileDocument,
  describeFault,
  lintNames,
  lintText,
  MappingError,
  type TemplateFault,
  type TextInDocument,
  unquotedValues,
} from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';
import type { CompiledProvider } from '#provider-document';
import { compileAnew } from './compiled-folder.js';
import { domainOperations, type ProviderFolder } from './folders.js';
import { secretProperties } from './secret-properties.js';
import { verifyOf } from './verification.js';
import { valueFaults } from './values/value-faults.js';
import { valuesFile } from './values/value-tables.js';
import { missingVerifications } from './verification-checks.js';

const fakeFile = 'fake.yaml';
/** Stands in for a mapping file that has faults, which are reported under its name. */
const anyMapping = "engine: bloblang_direct\nversion: '1.0'\ntemplates:\n  default: root = this\n";

/** Finds everything that is wrong with a provider's folder, one text per fault. */
export function checkFolder(folder: ProviderFolder): string[] {
  const there = folder.list('mappings').map((name) => `mappings/${name}`);
  const broken = new Set<string>();
  const faults = there.flatMap((name) => {
    const text = folder.read(name);
    const found = faultsOf(
      () => compileDocument(text, { shared: sharedTemplate }),
      text,
      folder.shown(name),
    );
    if (found.length > 0) broken.add(name);
    else for (const one of lintNames(text, true)) found.push(shownFault(folder, name, one, text));
    return found;
  });
  const named = new Set<string>();
  const readPart = (name: string): string => {
    const isKnown = named.has(name);
    named.add(name);
    if (name.startsWith('operations/') && folder.has(name)) return folder.read(name);
    if (there.includes(name)) return broken.has(name) ? anyMapping : folder.read(name);
    if (!isKnown) faults.push(`${folder.shown(folder.document)}: ${name} does not exist`);
    return anyMapping;
  };
  if (folder.has(fakeFile)) faults.push(...fakeFaults(folder));
  const text = folder.readDocument();
  const texts: TextInDocument[] = [];
  let compiled: readonly CompiledProvider[] = [];
  const compile = () => {
    ({ compiled } = compileAnew(folder, {
      readFile: readPart,
      onText: (one) => texts.push(one),
    }));
  };
  const own = faultsOf(compile, text, folder.shown(folder.document));
  const doubts = shownDoubts(folder, folder.document, texts, doubtsOf);
  faults.push(...own, ...doubts);
  if (own.length > 0) return faults;
  for (const one of secretProperties(text))
    faults.push(shownFault(folder, folder.document, one, text));
  for (const name of there)
    if (!named.has(name))
      faults.push(`${folder.shown(name)}: the document does not name this file`);
  if (folder.has(valuesFile) && broken.size === 0) faults.push(...valueFaults(folder));
  if (!folder.isBuiltIn) return faults;
  if (verifyOf(folder).length === 0)
    faults.push(
      `${folder.shown(folder.document)}: it has no verify, so nobody learns which permission a configuration needs`,
    );
  // A made-up vendor exists only as its fake, over which the suites of its domain run.
  if (folder.isMadeUp) return faults;
  faults.push(...missingVerifications(folder));
  const document = parse(text) as {
    provider?: string;
    providers?: Record<string, unknown>;
    proof?: string | { by: string }[];
  };
  const { provider = '', providers = { [provider]: {} }, proof } = document;
  faults.push(...proofFaults(folder, proof));
  const known = [
    ...new Set(
      Object.keys(providers)
        .flatMap(domainOperations)
        .map(({ id }) => id),
    ),
  ];
  if (known.length === 0) return faults;
  const offered = new Set<string>(compiled.flatMap(({ operations }) => [...operations.keys()]));
  const missing = compiled.flatMap(({ source, operations }) =>
    domainOperations(source.provider)
      .filter(({ id }) => !operations.has(id) && !Object.hasOwn(source.unsupported ?? {}, id))
      .map(
        ({ id }) =>
          `${folder.shown(folder.document)}: ${source.provider} neither declares ${id} nor says under unsupported why the vendor cannot serve it`,
      ),
  );
  return [...faults, ...missing, ...tableFaults(folder, known, offered)];
}

/** Finds what is wrong with the fake, and names in it that mean something else than they say. */
function fakeFaults(folder: ProviderFolder): string[] {
  const texts: TextInDocument[] = [];
  const read = () => readFakeFile(new URL(fakeFile, folder.url), (one) => texts.push(one));
  const faults = faultsOf(read, folder.read(fakeFile), folder.shown(fakeFile));
  return [...faults, ...shownDoubts(folder, fakeFile, texts, lintText)];
}

/** Warns of names in expressions that compile, and mean something else than they say, and of values that a caller can write more of. */
function doubtsOf(text: TextInDocument): TemplateFault[] {
  return [...lintText(text), ...unquotedValues(text)];
}

/** @param main the document that includes the other files */
function shownDoubts(
  folder: ProviderFolder,
  main: string,
  texts: readonly TextInDocument[],
  find: (text: TextInDocument) => TemplateFault[],
): string[] {
  const shown = texts.flatMap((one) => {
    const { file = main } = one;
    return find(one).map((fault) => shownFault(folder, file, fault, folder.read(file)));
  });
  return [...new Set(shown)]; // some are compiled for several purposes
}

function shownFault(
  folder: ProviderFolder,
  name: string,
  fault: TemplateFault,
  text: string,
): string {
  return `${folder.shown(name)}: ${describeFault(fault, text)}`;
}

function faultsOf(compile: () => unknown, text: string, name: string): string[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return error.faults.map((fault) => `${name}: ${describeFault(fault, text)}`);
  }
}

/** Files that each level of proof requires in the provider's folder. */
const evidence: Readonly<Record<string, readonly string[]>> = {
  'real-system': ['fixtures'],
  'vendor-description': ['fixtures', 'description'],
  recorded: ['fixtures'],
  simulator: ['fake.yaml'],
};

function proofFaults(folder: ProviderFolder, proof: string | { by: string }[] = []): string[] {
  const said = folder.has('README.md') ? folder.read('README.md') : '';
  const kinds = typeof proof === 'string' ? [proof] : proof.map(({ by }) => by);
  return [
    ...(folder.needsRecordings ? kinds : []).flatMap((kind) =>
      (evidence[kind] ?? [])
        .filter((name) => !folder.has(name))
        .map(
          (name) =>
            `${folder.shown(folder.document)}: proof is ${kind}, but ${name} does not exist`,
        ),
    ),
    ...(said.includes('**Proven** against')
      ? []
      : [`${folder.shown('README.md')}: it must say what the provider was **Proven** against`]),
  ];
}

/** Checks that a table of operations in README.md, if it has one, agrees with the document: each works, or is 501. */
function tableFaults(
  folder: ProviderFolder,
  known: readonly string[],
  offered: ReadonlySet<string>,
): string[] {
  if (!folder.has('README.md')) return [`${folder.shown('README.md')}: it does not exist`];
  const faults: string[] = [];
  const listed = new Set<string>();
  for (const [index, line] of folder.read('README.md').split('\n').entries()) {
    const [, names = '', says = ''] = /^\|([^|]*)\|(.*)\|\s*$/.exec(line) ?? [];
    const place = `${folder.shown('README.md')}: line ${index + 1}`;
    for (const [, id = ''] of names.matchAll(/`([a-z]+_[a-z_]+)`/g)) {
      if (!known.includes(id)) continue;
      if (listed.has(id)) faults.push(`${place}: ${id} has a line already`);
      listed.add(id);
      const works = /^\s*works?\b/.test(says);
      const refused = /^\s*501\b/.test(says);
      if (!works && !refused) faults.push(`${place}: ${id} neither "works" nor is "501"`);
      else if (works && !offered.has(id))
        faults.push(`${place}: ${id} works, but ${folder.document} does not declare it`);
      else if (refused && offered.has(id))
        faults.push(`${place}: ${id} is 501, but ${folder.document} declares it`);
    }
  }
  const missing = known.filter((id) => !listed.has(id));
  if (listed.size > 0 && missing.length > 0)
    faults.push(
      `${folder.shown('README.md')}: its table has no line for ${missing.join(', ')}; say "works" or "501"`,
    );
  return faults;
}
