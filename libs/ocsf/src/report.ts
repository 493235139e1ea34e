export interface LintProblem {
  /** JSON pointer to the value within the record. */
  pointer: string;
  /** Name of the rule, as in docs/ocsf.md. */
  rule: string;
  message: string;
}

export interface LintResult {
  errors: LintProblem[];
  warnings: LintProblem[];
}

type Path = readonly (string | number)[];

/** Collects problems. A broken record must not fill the memory. */
export class Report {
  readonly result: LintResult = { errors: [], warnings: [] };

  error(path: Path, rule: string, message: string): void {
    this.add(this.result.errors, path, rule, message);
  }

  warning(path: Path, rule: string, message: string): void {
    this.add(this.result.warnings, path, rule, message);
  }

  private add(list: LintProblem[], path: Path, rule: string, message: string): void {
    if (list.length >= maxProblems) return;
    list.push({ pointer: pointerOf(path), rule, message });
  }
}

const maxProblems = 1_000;

export function pointerOf(path: Path): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as it is shown in messages. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
