import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#config';
import type { ApiError } from '#contract';
import type { CredentialUse } from './authentication.js';
import { until } from './until.js';

export const maxSessions = 1_000;
/** A session that no call has used for this long is closed. */
export const maxIdleMs = 5 * 60_000;
const sweepMs = 60_000;
/** A refused login is not repeated within this time: providers lock accounts after a few of them. */
const refusedMs = 10_000;
const maxRefusals = 1_000;
/** A process that ends waits this long for its sessions to be closed. */
const maxEndMs = 5_000;

/** A session at a provider. */
export interface Session {
  /** How its token is sent. */
  use: CredentialUse;
  /** Texts of the token that callers and logs must not see. */
  secrets: readonly string[];
  /** How long it is used; undefined if only the provider knows when it ends. */
  lifetimeMs: number | undefined;
  /** The provider takes it no more. Set by calls that were refused with it. */
  isRefused?: boolean;
  /** Closes it; absent if the provider has no call for it. */
  logOut?: (() => Promise<unknown>) | undefined;
}

interface OpenSession {
  session: Session;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface Login {
  /** Names the session by everything that it depends on. */
  key: string;
  /** @throws LoginRefused if the provider refuses the credential */
  logIn(): Promise<Session>;
}

/** The provider refuses the credential of a login. */
export class LoginRefused extends Error {
  constructor(readonly problem: ApiError) {
    super(problem.message);
    this.name = 'LoginRefused';
  }
}

/** The sessions of a process at its providers. Calls share them: however many need one, one logs in. */
export class Sessions {
  private readonly open = new LRUCache<string, OpenSession>({
    max: maxSessions,
    ttl: maxIdleMs,
    updateAgeOnGet: true,
    dispose: ({ session }) => void close(session),
  });
  private readonly underway = new Map<string, Promise<Session>>();
  private readonly refusals = new LRUCache<string, ApiError>({
    max: maxRefusals,
    ttl: refusedMs,
  });
  private sweep: NodeJS.Timeout | undefined;

  constructor(private readonly clock: Clock) {}

  /** Number of open sessions, and of logins that are under way. */
  get size(): number {
    return this.open.size + this.underway.size;
  }

  /** Returns the open session, or that of a new login. @throws ApiError if the login fails */
  async get(login: Login, signal: AbortSignal): Promise<Session> {
    const found = this.open.get(login.key);
    if (found !== undefined && this.isGood(found)) return found.session;
    return await until(signal, this.underway.get(login.key) ?? this.begin(login));
  }

  /** Closes all sessions, for the end of the process. */
  async end(): Promise<void> {
    clearInterval(this.sweep);
    const sessions = [...this.open.values()].map(({ session }) => session);
    for (const session of sessions) session.logOut &&= once(session.logOut);
    const closing = Promise.all(sessions.map(close));
    this.open.clear();
    await Promise.race([closing, new Promise((done) => setTimeout(done, maxEndMs).unref())]);
  }

  private isGood({ session, expiresAt }: OpenSession): boolean {
    return session.isRefused !== true && expiresAt > this.clock.now();
  }

  /** Several calls wait for the same login, so it does not end when one of them is cancelled. */
  private begin(login: Login): Promise<Session> {
    const { key } = login;
    const running = this.logIn(login).finally(() => this.underway.delete(key));
    this.underway.set(key, running);
    return running;
  }

  private async logIn(login: Login): Promise<Session> {
    const { key } = login;
    const refusal = this.refusals.get(key);
    if (refusal !== undefined) throw refusal;
    try {
      const session = await login.logIn();
      const expiresAt = this.clock.now() + (session.lifetimeMs ?? Infinity);
      this.open.set(key, { session, expiresAt });
      this.sweep ??= setInterval(() => this.open.purgeStale(), sweepMs).unref();
      return session;
    } catch (error) {
      if (!(error instanceof LoginRefused)) throw error;
      this.refusals.set(key, error.problem);
      throw error.problem;
    }
  }
}

function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let running: Promise<unknown> | undefined;
  return () => (running ??= work());
}

const log = new Logger('sessions');

/** A session that cannot be closed ends at the provider by itself. */
async function close({ isRefused, logOut }: Session): Promise<void> {
  if (isRefused === true || logOut === undefined) return;
  try {
    await logOut();
  } catch (error) {
    log.debug(`logout failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
