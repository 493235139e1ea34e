import { Readable } from 'node:stream';
import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type {
  CodeAcceptance,
  FakeDocument,
  OauthAcceptance,
  Route,
} from '../document/fake-document.js';
import { takesForm } from '../document/read-route.js';
import { oddDocument } from '../odd/odd-document.js';
import { OddFake } from '../odd/odd-fake.js';
import { RequestState, StoredEntries, type FakeState } from '../state/fake-state.js';
import { FileTooLarge, isStoredFile, type StoredFile } from '../state/fake-files.js';
import type { FakeStorage } from '../state/fake-storage.js';
import { madeCollections, type MadeCollections } from '../state/made-collections.js';
import type { MakeWorld, RecordOptions } from '../state/world.js';
import { makeWorld } from '../world/index.js';
import { Checks } from './checks.js';
import { Credentials, type FakeCredentials, permits } from './credentials.js';
import { Cursors } from './cursor.js';
import { FakeLog, type LoggedRequest, maxLoggedBytes, type Violation } from './fake-log.js';
import { type ActiveFault, Faults } from './faults.js';
import { askedOf, type Asked } from './graphql.js';
import { lazyValues } from './lazy-values.js';
import { listRows } from './list-rows.js';
import { lookUpRows } from './look-up-rows.js';
import { isForm, type Matched, matchRoute } from './match-route.js';
import { FakeRefusal, type FakeRequest, type FakeResponse, type ReadRequest } from './messages.js';
import { RateLimits } from './rate-limits.js';
import { readBytes } from './read-bytes.js';
import { readForm, readInput } from './read-input.js';
import { readMultipart } from './read-multipart.js';
import { readParameters } from './read-parameters.js';
import { RequestScope } from './request-scope.js';
import { revokeToken } from './revoke-token.js';
import { RowAccess, RowViews } from './row-access.js';
import { runWrites } from './run-writes.js';
import { breakResponse, refuseByFault } from './transport-faults.js';
import { webhookMessages } from './webhook-messages.js';
import { writeBody, writeRefusal, writeResponse } from './write-response.js';

export interface FakeOptions extends RecordOptions {
  storage: FakeStorage;
  /** The company of the fakes when absent. */
  makeWorld?: MakeWorld;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Secret of this fake: credentials, tokens and ids follow from it. */
  key: string;
  /** Requests that the log keeps; 10,000 when absent. */
  maxLogged?: number;
  /** Called for every fault of the fake itself. */
  onViolation?: (violation: Violation) => void;
}

/** One request while it is worked on. */
interface Running {
  request: ReadRequest;
  url: URL;
  now: number;
  number: number;
  matched: Matched;
  asked: ReturnType<typeof askedOf>;
  fault: ActiveFault | undefined;
  form: Readonly<Record<string, Value>> | undefined;
  /** The file of a route that keeps it. */
  file: StoredFile | FileTooLarge | undefined;
}

/** Plays one vendor for one integration. */
export class FakeEngine {
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly log: FakeLog;
  /** The keys of routes that were called. */
  readonly reached = new Set<string>();
  readonly checks: Checks;
  readonly odd: OddFake;
  private readonly credentialsOfAuth: Credentials | undefined;
  private readonly cursors: Cursors;
  private readonly made: MadeCollections;
  private readonly views: RowViews;
  private readonly startMs: number;
  readonly document: FakeDocument;

  constructor(
    given: FakeDocument,
    private readonly options: FakeOptions,
  ) {
    const { start, dataset, scale } = options;
    const document = dataset === 'ODD' ? oddDocument(given) : given;
    this.document = document;
    this.log = new FakeLog(options.maxLogged, options.onViolation);
    this.made = madeCollections(document, options.makeWorld ?? makeWorld, {
      start,
      dataset,
      ...(scale === undefined ? {} : { scale }),
    });
    this.odd = new OddFake(document, this.made, dataset);
    this.startMs = start.getTime();
    this.views = new RowViews(this.made);
    this.faults = new Faults(document.faults);
    this.limits = new RateLimits(document.limits);
    this.checks = new Checks(document);
    this.cursors = new Cursors(options.key);
    this.credentialsOfAuth = document.auth && new Credentials(document.auth, options.key);
  }

  /** The credentials of each principal of the document. */
  credentials(): FakeCredentials[] {
    const url = 'http://fake.invalid/';
    const request: ReadRequest = { method: 'GET', url, headers: {} };
    const state = new RequestState(new StoredEntries());
    return this.credentialsOfAuth?.list(this.scope(request, new URL(url), state, 0)) ?? [];
  }

  /** True for requests whose body is a file that is stored as it comes. */
  takesFile(method: string, url: URL): boolean {
    const matched = matchRoute(this.document, method, url.pathname);
    return matched.kind === 'route' && matched.route.input.kind === 'file';
  }

  /**
   * Answers a request. A fault of the fake is a 500 in a shape that no vendor has, and a violation in the log.
   * @throws what the storage throws
   */
  async handle(given: FakeRequest): Promise<FakeResponse> {
    const url = new URL(given.url);
    const file = this.takesFile(given.method, url) ? await this.storeFile(given) : undefined;
    const body = file === undefined ? await readBytes(given.body) : new Uint8Array();
    const request: ReadRequest = { ...given, body };
    const type = request.headers['content-type'] ?? '';
    const asked = askedOf(this.document.routes, url.pathname, body);
    const matched = matchRoute(this.document, request.method, url.pathname, type, asked);
    const fault = this.faults.take(`${request.method} ${url.pathname}${url.search}`);
    const now = this.options.clock();
    const route = matched.kind === 'route' ? matched.route : undefined;
    const logged = this.note(request, url, route, fault);
    const { number } = logged;
    const isMultipart = /^multipart\/form-data/i.test(type);
    const form = isMultipart ? await readMultipart(request) : undefined;
    const running = { request, url, now, number, matched, asked, fault, form, file };
    const writes = (route?.writes.length ?? 0) > 0;
    const response = await this.options.storage.work((state) => this.run(running, state), writes);
    const isRefused = response.status >= 400;
    if (isRefused && isStoredFile(file)) await this.options.storage.files.drop(file.stored_file);
    const sent = breakResponse(response, fault);
    logged.status = sent.broken === undefined ? sent.status : null;
    return fault === undefined ? sent : { ...sent, fault: fault.kind };
  }

  private run(running: Running, state: FakeState): FakeResponse {
    const { request, url, now, number } = running;
    const mark = state.mark();
    const scope = this.scope(request, url, state, number, now);
    try {
      try {
        return this.answer(running, scope);
      } catch (error) {
        if (!(error instanceof FakeRefusal)) throw error;
        state.undo(mark);
        return writeRefusal(this.document, error, scope, this.checks);
      }
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      state.undo(mark);
      return this.fail(number, error);
    }
  }

  /** @throws FakeRefusal, ExpressionFailure */
  private answer(
    { request, url, matched, asked, fault, form, file, now }: Running,
    scope: RequestScope,
  ): FakeResponse {
    refuseByFault(this.document, fault, scope);
    switch (matched.kind) {
      case 'none':
        throw new FakeRefusal('no_route', scope.facts.url.pathname);
      case 'other':
        throw new FakeRefusal('no_method', matched.methods.join(', '));
      case 'unasked':
        throw new FakeRefusal('bad_query', matched.fault, { position: 0 });
      case 'decision':
        return this.auth().codes.decide(matched.acceptance, url, now);
      case 'token':
        return this.issueToken(matched.acceptance, request, scope, now);
      case 'revocation':
        return revokeToken(this.auth(), matched, request, scope);
      case 'route':
    }
    const { route } = matched;
    this.reached.add(route.key);
    scope.set('path', matched.path);
    if (route.field !== undefined) scope.ask(asked as Asked);
    const principal = this.authenticate(route, request, scope);
    this.count(route, principal, scope);
    if (file instanceof FileTooLarge) throw new FakeRefusal('too_large', file.message);
    const body = file ?? readInput(route.input, request, form, scope);
    const query = this.takesForm(route, request)
      ? { ...(scope.input['query'] as object), ...(body as object | null) }
      : scope.input['query'];
    scope.set('query', readParameters(this.document, route, 'query', query));
    scope.set('body', readParameters(this.document, route, 'body', body));
    scope.set('let', lazyValues(this.document.constants, route.let, scope));
    lookUpRows(route, scope);
    this.checks.run(route.checks, scope);
    if (route.list !== undefined) listRows(route.list, scope, this.cursors);
    runWrites(route, scope, this.checks);
    const messages = webhookMessages(route, scope);
    const response = writeResponse(this.document, route, scope, fault, this.options.storage.files);
    return messages.length === 0 ? response : { ...response, messages };
  }

  private async storeFile({
    method,
    url,
    body = new Uint8Array(),
  }: FakeRequest): Promise<StoredFile | FileTooLarge> {
    const matched = matchRoute(this.document, method, new URL(url).pathname);
    const { maxBytes } = (matched as Extract<Matched, { kind: 'route' }>).route.input;
    const chunks = body instanceof Uint8Array ? Readable.from([body]) : body;
    try {
      return await this.options.storage.files.write(chunks, maxBytes);
    } catch (error) {
      if (error instanceof FileTooLarge) return error;
      throw error;
    }
  }

  /** True for a call that is either a GET, or a POST of a form with the same parameters. */
  private takesForm(route: Route, { method, headers }: FakeRequest): boolean {
    const { takesForms } = this.document;
    return takesForms && method === 'POST' && takesForm(route) && isForm(headers['content-type']);
  }

  private auth(): Credentials {
    if (this.credentialsOfAuth === undefined) throw new TypeError('a token endpoint without auth');
    return this.credentialsOfAuth;
  }

  /** Ends what people granted to applications. */
  revokeGrants(): void {
    this.auth().codes.revoke();
  }

  private issueToken(
    acceptance: OauthAcceptance | CodeAcceptance,
    { headers, body }: ReadRequest,
    scope: RequestScope,
    now: number,
  ): FakeResponse {
    const form = readForm(Buffer.from(body ?? []).toString());
    const issued =
      acceptance.kind === 'oauth'
        ? this.auth().issueToken(acceptance, headers, form, now)
        : this.auth().issueGranted(acceptance, headers, form, now);
    const { plain, ...facts } = issued;
    const value = scope.during(facts, () => acceptance.body?.run(scope));
    return {
      status: acceptance.kind === 'oauth' ? acceptance.status : 200,
      headers: { 'content-type': 'application/json' },
      body: writeBody(value ?? plain),
    };
  }

  /** @returns whom limits count. @throws FakeRefusal */
  private authenticate(route: Route, request: ReadRequest, scope: RequestScope): string {
    const anonymous = '';
    if (this.credentialsOfAuth === undefined || route.access === null) return anonymous;
    const user = this.credentialsOfAuth.authenticate(request, scope.now, scope);
    scope.set('user', user);
    const accepted = route.access?.split(' or ');
    const isPermitted = accepted?.some((scope) => permits(user.scopes, scope)) !== false;
    if (!isPermitted || this.odd.unlicensed.has(route.access ?? ''))
      throw new FakeRefusal('forbidden', route.access ?? '');
    return user.name;
  }

  private count({ limit }: Route, principal: string, scope: RequestScope): void {
    if (limit === null) return;
    const allowance = this.limits.count(limit, principal, scope.now);
    if (allowance === undefined) return;
    scope.set('limit', { ...allowance, remaining: Math.max(0, allowance.remaining) });
    if (allowance.remaining < 0) throw new FakeRefusal('limited', `wait ${allowance.wait} s`);
  }

  private scope(
    request: ReadRequest,
    url: URL,
    state: FakeState,
    number: number,
    now = this.options.clock(),
  ): RequestScope {
    const seed = `${this.options.key} ${this.startMs} ${number} ${now}`;
    const rows = new RowAccess(this.document, this.views, state, now);
    return new RequestScope(
      this.document,
      request,
      { url, now, seed, startMs: this.startMs },
      rows,
    );
  }

  private note(
    { method, headers, body = new Uint8Array() }: ReadRequest,
    url: URL,
    route: Route | undefined,
    fault: ActiveFault | undefined,
  ): LoggedRequest {
    return this.log.add({
      at: new Date(this.options.clock()).toISOString(),
      method,
      path: url.pathname,
      query: Object.fromEntries(
        [...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)]),
      ),
      headers,
      body: Buffer.from(body.subarray(0, maxLoggedBytes)).toString(),
      route: route?.key ?? null,
      status: null,
      fault: fault?.kind ?? null,
    });
  }

  private fail(request: number, { place, reason }: ExpressionFailure): FakeResponse {
    this.log.violate({ request, place, message: reason });
    return {
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: writeBody({ fake_violation: { fake: this.document.name, place, message: reason } }),
    };
  }
}
