import { badRequest, type Fault, type Operation, validateBody } from '#contract';
import { applyPatch, type Operation as PatchStep } from 'rfc6902';
import type { Native } from './native.js';

/**
 * Applies a JSON Patch to a record in our shape. Fields that only the provider writes stay as they are, and the result has to
 * be one that could have been created. @throws ApiError 400 that points at the element of the body.
 */
export function patchRecord(
  record: Native,
  patch: readonly unknown[],
  rules: { readOnly: readonly string[]; create: Operation | undefined },
): Native {
  const candidate = structuredClone(record);
  for (const [index, step] of patch.entries()) {
    const { path = '', op = '' } = step as { path?: string; op?: string };
    const field = path.split('/')[1] ?? '';
    if (op !== 'test' && (rules.readOnly.includes(field) || path === ''))
      throw refuse(index, 'path', `"${path}" is not for callers to change`, path);
    if (/(?:^|\/)(?:__proto__|constructor|prototype)(?:\/|$)/.test(path))
      throw refuse(index, 'path', 'names no field', path);
    const [error] = applyPatch(candidate, [step as PatchStep]);
    if (error)
      throw refuse(
        index,
        error.name === 'TestError' ? 'value' : 'path',
        messageOf(error.name),
        path,
      );
  }
  // A record of no domain has no shape of its own.
  const faults =
    rules.create?.request === 'json' && !rules.create.id.startsWith('custom_')
      ? newFaults(rules.create, record, candidate)
      : [];
  if (faults.length > 0) throw badRequest(faults);
  return candidate;
}

/** What the patch has made wrong; what the provider's record had wrong before is not the caller's. */
function newFaults(create: Operation, before: Native, after: Native): Fault[] {
  const known = new Set(validateBody(create, before).map(({ pointer }) => pointer));
  return validateBody(create, after).filter(({ pointer }) => !known.has(pointer));
}

function messageOf(name: string): string {
  if (name === 'TestError') return 'the value is another one';
  return name === 'MissingError'
    ? 'there is nothing at this path'
    : 'is not an operation of a JSON Patch';
}

function refuse(index: number, part: string, message: string, value: string) {
  return badRequest({ location: 'body', pointer: `/${index}/${part}`, message, value });
}
