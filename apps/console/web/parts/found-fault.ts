import { RequestError } from '../api/client.js';
import { quickFix, type Replacement } from './quick-fix.js';
import { type Position, placeIn } from './text-place.js';

/** A fault at a place of a document, as the service finds it. */
export interface FoundFault {
  message: string;
  hint: string | undefined;
  position: Position;
}

/** The faults of a refused document, each place once: the first fault is the problem's own, and may be among its causes too. */
export function faultsOf(error: Error | undefined): FoundFault[] {
  if (!(error instanceof RequestError)) return [];
  const { problem } = error;
  const found = new Map<string, FoundFault>();
  for (const { context, message, remediation } of [problem, ...(problem.cause ?? [])]) {
    const position = context?.parameter?.position;
    if (!position) continue;
    const key = `${position.line}:${position.column}`;
    if (found.has(key)) continue;
    const plain = message.replace(/^.*?line \d+, column \d+: /, '');
    found.set(key, { message: plain, hint: remediation ?? undefined, position });
  }
  return [...found.values()];
}

/** A fault as the editor marks it: between two places of the text, in UTF-16 units. */
export interface Mark {
  from: number;
  to: number;
  message: string;
  fix: Replacement | undefined;
}

/** Marks the name at the place of a fault, or else one character. */
export function markOf(text: string, fault: FoundFault): Mark {
  const from = Math.min(placeIn(text, fault.position).offset, text.length);
  const [name = ' '] = /^\w+/.exec(text.slice(from)) ?? [];
  return {
    from,
    to: Math.min(from + name.length, text.length),
    message: [fault.message, fault.hint].filter(Boolean).join(' '),
    fix: quickFix(text, fault),
  };
}
