import type { Value } from '@onefold/mapping';
import type { Scope } from '../document/expressions.js';
import type { Check, ErrorLook, FakeDocument } from '../document/fake-document.js';
import { FakeRefusal } from './messages.js';
import type { RequestScope } from './request-scope.js';

/** An error as the document shows it. */
export interface ShownError {
  name: string;
  status: number;
  message: string;
  detail: string;
  values: Readonly<Record<string, Value>>;
}

/** Holds requests against conditions, and describes refusals. */
export class Checks {
  /** Conditions that were not met by some request: those that no test has seen fail can be listed. */
  readonly failed = new Set<string>();

  constructor(private readonly document: FakeDocument) {}

  /** @throws FakeRefusal for the first condition that does not hold */
  run(checks: readonly Check[], scope: Scope): void {
    for (const { key, that, error, detail } of checks) {
      if (that.holds(scope)) continue;
      this.failed.add(key);
      throw new FakeRefusal(error, detail?.write(scope) ?? '');
    }
  }

  look(name: string): ErrorLook {
    const look = this.document.errors.named.get(name);
    if (look === undefined) throw new TypeError(`the document does not name the error ${name}`);
    return look;
  }

  /** `this.error` of a refusal. @throws ExpressionFailure */
  describe({ error: name, detail, facts }: FakeRefusal, scope: RequestScope): ShownError {
    const { status, message, values } = this.look(name);
    const known = { position: null, parameter: null, ...facts };
    const shown = { name, status, message: '', detail, values, ...known };
    return { ...shown, message: scope.during({ error: shown }, () => message.write(scope)) };
  }
}
