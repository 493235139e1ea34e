import { compileTemplate } from '@onefold/mapping';
import { Template } from '../document/expressions.js';

export const faultKinds = [
  'status',
  'limited',
  'slow',
  'reset',
  'half',
  'garbage',
  'huge',
  'never',
  'redirect',
  'expired',
  'drift',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A rule for what goes wrong with the next requests. */
export interface FaultRule {
  /** One of {@link faultKinds}, or the name of a fault of the document. */
  kind: string;
  /** How many requests it meets; 1 when absent. */
  times?: number;
  /** Only requests whose `METHOD /path?query` contains this text. */
  match?: string;
  /** status: which one; 500 when absent. */
  status?: number;
  /** limited, and faults of the document: how long the limit lasts; 1 when absent. slow: how late the response is; 1 when absent. */
  seconds?: number;
  /** huge: the size of the body; 200 MB when absent. */
  bytes?: number;
  /** redirect: the address. */
  location?: string;
  /** drift: a template over the response body, as `root` and `this`. */
  alter?: string;
  /** drift: headers that the response has in addition, with names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/** A fault that meets the present request. */
export interface ActiveFault extends FaultRule {
  template?: Template;
}

/** The faults that wait for requests, the oldest first. */
export class Faults {
  private waiting: (ActiveFault & { left: number; match: string })[] = [];

  /** @param own the faults of the document, with the text that requests have to contain */
  constructor(private readonly own: ReadonlyMap<string, { match: string }>) {}

  /** @throws Error when the rule is not valid */
  add(rule: FaultRule): void {
    const kinds: readonly string[] = [...faultKinds, ...this.own.keys()];
    if (!kinds.includes(rule.kind))
      throw new Error(`unknown fault "${rule.kind}"; known: ${kinds.join(', ')}`);
    const { alter, headers, times = 1, match = this.own.get(rule.kind)?.match ?? '' } = rule;
    if (rule.kind === 'drift' && alter === undefined && headers === undefined)
      throw new Error(
        'a fault of kind drift needs "alter", a template over the response body, or "headers"',
      );
    const template = alter === undefined ? {} : { template: driftTemplate(alter) };
    this.waiting.push({ ...rule, ...template, match, left: times });
  }

  clear(): void {
    this.waiting = [];
  }

  /** @param request `METHOD /path?query` */
  take(request: string): ActiveFault | undefined {
    const fault = this.waiting.find(({ match }) => request.includes(match));
    if (fault === undefined) return undefined;
    fault.left -= 1;
    if (fault.left <= 0) this.waiting = this.waiting.filter((one) => one !== fault);
    return fault;
  }
}

function driftTemplate(source: string): Template {
  return new Template('the fault drift', compileTemplate(source));
}
