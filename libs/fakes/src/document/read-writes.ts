import type { Later, Verb, Write } from './fake-document.js';
import type { FakeReader } from './fake-reader.js';
import type { Part } from './part.js';
import { type Known, readChecks } from './read-checks.js';

const verbs: readonly Verb[] = ['create', 'change', 'put', 'delete'];

export function readWrites(reader: FakeReader, part: Part | undefined, known: Known): Write[] {
  return (part?.items() ?? []).flatMap((one) => readWrite(reader, one, known) ?? []);
}

function readWrite(reader: FakeReader, part: Part, known: Known): Write | undefined {
  const [verb, second] = verbs.filter((one) => part.get(one) !== undefined);
  const target = verb && part.get(verb);
  if (verb === undefined || target === undefined || second !== undefined) {
    reader.fault(part.path, `a write needs exactly one of ${verbs.join(', ')}`);
    return undefined;
  }
  checkKeys(reader, part, verb);
  const [id, row, exists, missing] = ['id', 'row', 'exists', 'missing'].map((key) => part.get(key));
  return {
    place: [...part.path, verb].join('.'),
    when: reader.optionalQuery(part.get('when')),
    checks: readChecks(reader, part.get('checks')),
    verb,
    collection: reader.checkName(target, 'collection', known.collections),
    id: reader.optionalQuery(id),
    row: reader.optionalTemplate(row),
    exists: readExists(reader, verb, exists),
    missing: missing && reader.raises(String(missing.scalar), missing),
    then: readWrites(reader, part.get('then'), known),
    later: readLater(reader, part.get('later')),
  };
}

function checkKeys(reader: FakeReader, part: Part, verb: Verb): void {
  const needed = verb === 'delete' ? ['id'] : verb === 'create' ? ['row'] : ['id', 'row'];
  for (const key of needed)
    if (part.get(key) === undefined) reader.fault(part.path, `a ${verb} needs "${key}"`);
  const foreign = {
    create: ['missing'],
    change: ['exists'],
    put: ['exists', 'missing'],
    delete: ['exists', 'row', 'later'],
  }[verb];
  for (const key of foreign)
    if (part.get(key) !== undefined)
      reader.fault(part.get(key)?.path ?? part.path, `a ${verb} has no "${key}"`);
}

function readExists(reader: FakeReader, verb: Verb, part: Part | undefined): string {
  if (verb !== 'create' || part?.scalar === 'same') return 'same';
  return part === undefined ? reader.raises('conflict') : reader.raises(String(part.scalar), part);
}

function readLater(reader: FakeReader, part: Part | undefined): Later | undefined {
  const [after, row] = [part?.get('after'), part?.get('row')];
  if (part === undefined) return undefined;
  if (after === undefined || row === undefined) {
    reader.fault(part.path, '"later" needs after and row');
    return undefined;
  }
  return { after: reader.readQuery(after), row: reader.readTemplate(row) };
}
