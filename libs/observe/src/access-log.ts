/** A call that a process has answered or made: identifiers and numbers, never payloads or addresses. */
export interface AccessedCall {
  requestId: string;
  /** Trace id of the caller. */
  traceId?: string | undefined;
  owner?: { organizationId: string; accountId?: string; integrationId?: string } | null | undefined;
  provider?: string | undefined;
  operation: string;
  status: number;
}

/** A process in the lines. */
interface LoggedProcess {
  service: string;
  /** Its name, as others on the bus call it. */
  processId: string | undefined;
  write: (line: string) => void;
}

/** Lines are written together: a killed process loses at most those of this time. */
const flushIntervalMs = 50;
const maxHeldCharacters = 65_536;
const plain = /^[\w.:~-]*$/;

let log: LoggedProcess | undefined;
let held = '';
let timer: NodeJS.Timeout | undefined;
let begin: (Omit<LoggedProcess, 'write'> & { text: string }) | undefined;
let second = 0;
let secondText = '';

/** Writes a line for each call of this process from now on; undefined ends it. */
export function writeAccessTo(target: LoggedProcess | undefined): void {
  flushAccessLog();
  log = target;
}

/** True if lines are written. */
export function isAccessLogged(): boolean {
  return log !== undefined;
}

/**
 * Writes the line of a call, if the access log is on. It is put together by hand, because `JSON.stringify` and a write for each line take more
 * than the 2 % of a call that it may (docs/performance.md).
 * @param begun milliseconds of `performance.now()`
 */
export function logAccess(call: AccessedCall, begun: number): void {
  if (log === undefined) return;
  const { requestId, traceId, owner, provider, operation, status } = call;
  const ms = Math.round(performance.now() - begun);
  const account = owner?.accountId === undefined ? '' : `","account_id":"${owner.accountId}`;
  const integration =
    owner?.integrationId === undefined ? '' : `","integration_id":"${owner.integrationId}`;
  const whose = owner ? `,"organization_id":"${owner.organizationId}${account}${integration}"` : '';
  held += `{"time":"${timeText()}${beginOfLine(log)}${quote(requestId)}${traceId === undefined ? '' : `,"trace_id":"${traceId}"`}${whose}${provider === undefined ? '' : `,"provider":${quote(provider)}`},"operation":"${operation}","status":${status},"ms":${ms}}\n`;
  if (held.length > maxHeldCharacters) flushAccessLog();
  else timer ??= setTimeout(flushAccessLog, flushIntervalMs);
}

/** Writes the lines that are held. */
export function flushAccessLog(): void {
  clearTimeout(timer);
  timer = undefined;
  const lines = held;
  held = '';
  if (lines !== '') log?.write(lines);
}

/** The part of a line behind its time that is the same in all of them. */
function beginOfLine({ service, processId }: LoggedProcess): string {
  if (begin?.processId !== processId || begin?.service !== service) {
    const text = JSON.stringify({ level: 'info', service, process: processId, message: 'call' });
    begin = {
      service,
      processId,
      text: `","${text.slice('{"'.length, -'}'.length)},"request_id":`,
    };
  }
  return begin.text;
}

/** Texts of strangers; ids and names of operations are ours. */
function quote(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** The time as in other lines; the text of a second is made once. */
function timeText(): string {
  const now = Date.now();
  const begun = now - (now % 1_000);
  if (begun !== second) {
    second = begun;
    secondText = new Date(begun).toISOString().slice(0, -'000Z'.length);
  }
  return `${secondText}${String(now - begun).padStart(3, '0')}Z`;
}
