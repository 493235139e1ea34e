import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import {
  type Call,
  type Caller,
  decide,
  forbidden,
  type Operation,
  operations,
  type OperationId,
  StreamReply,
  unauthorized,
  type Upload,
} from '#contract';
import { inSpan, logAccess, type Span } from '#observe';
import { traceIdOf } from '../messages/trace.js';
import { type FinishedCall, countBytes, reportSize } from './call-sizes.js';
import {
  type Bodies,
  collect,
  opened,
  openInternal,
  sealedReply,
  sealInternal,
  whole,
} from './bodies.js';
import type { Envelope } from '../bus.js';
import {
  callFailure,
  isGivenUp,
  logBroken,
  logFailure,
  type Named,
  timedOut,
} from './call-failure.js';
import type { Cancellation } from '../cancellation.js';
import { readEnvelope } from '../messages/envelope-head.js';
import { RequestCall } from './request-call.js';
import { internalCallRules } from './internal-call-rules.js';
import type { InternalCalls, InternalContext } from './internal-calls.js';
import type { InternalHead } from './message-bus.js';
import { domainCallSubject, internalSubject, subjectOf } from '../subjects.js';
import type { FrameHandler, Incoming, Outgoing, Transport } from '../transport.js';
import { type Answer, json, outgoing } from './write-answer.js';

/** Wraps the handler of an API call. */
export type Around = <T>(call: Call, work: () => Promise<T>) => Promise<T>;

/** Observers of the API calls that a process serves. */
export interface Watch {
  /** Wraps every call. */
  around?: Around;
  /** The domains of integrations whose connector operations this process serves; by default the domain of each operation. */
  domains?: readonly string[];
  /** Called at the beginning of every call. @returns what is called at its end, with the status of the response */
  begun?: (operation: OperationId) => (status: number) => void;
  /** Called at the end of every call. */
  answered?: (answered: FinishedCall) => void;
}

const directly: Around = (_call, work) => work();

const internalPrefix = 'internal:';

/** The state of a call besides its request. */
interface CallParts {
  cancellation: Cancellation;
  cancels: () => Cancellation;
  counts: { inBytes: number };
}

/** Custom transport of Nest that binds every `@Handles` and `@Serves` method to its subject. */
export class BusServer extends Server implements CustomTransportStrategy {
  /**
   * @param bodies decrypts bodies with secrets
   * @param watch observes every API call
   */
  constructor(
    private readonly transport: Transport,
    private readonly bodies?: Bodies,
    private readonly watch: Watch = {},
  ) {
    super();
  }

  listen(done: (error?: unknown) => void): void {
    for (const [pattern, handler] of this.messageHandlers) {
      if (pattern.startsWith(internalPrefix)) {
        for (const subject of this.internalSubjects(pattern.slice(internalPrefix.length)))
          this.transport.serve(subject, this.internal(pattern, handler));
        continue;
      }
      const operation = operations.get(pattern as OperationId);
      if (operation === undefined)
        throw new Error(`@Handles('${pattern}') names no operation of the contract`);
      for (const domain of this.domainsOf(operation)) {
        const subject = subjectOf(operation, domain);
        this.transport.serve(subject, this.external(operation, handler));
      }
    }
    // A process that learns of this one may call it immediately.
    this.transport.served().then(() => done(), done);
  }

  /** The ids of the operations that this process handles. */
  get bound(): OperationId[] {
    return [...this.messageHandlers.keys()].filter(
      (pattern) => !pattern.startsWith(internalPrefix),
    ) as OperationId[];
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  on(): void {
    throw new Error('the bus has no events of its own; see Bus.onReconnect');
  }

  unwrap<T>(): T {
    return this.transport as T;
  }

  /** A provider may support operations of other domains, so each operation is served for every domain of this process. */
  private domainsOf({ side, public: isPublic }: Operation): readonly (string | undefined)[] {
    // Without a token, an operation belongs to no domain: every process serves it.
    return side === 'connector' && !isPublic ? (this.watch.domains ?? [undefined]) : [undefined];
  }

  /** Connectors are asked for their domains as well, because a process may have the keys of no others. */
  private internalSubjects(name: string): readonly string[] {
    const isOfConnectors = internalCallRules[name as keyof InternalCalls].servedBy === 'connector';
    const domains = isOfConnectors ? (this.watch.domains ?? []) : [];
    return [internalSubject(name), ...domains.map((domain) => domainCallSubject(domain, name))];
  }

  private external(operation: Operation, handler: MessageHandler): FrameHandler {
    return async (incoming) => {
      const envelope = readEnvelope(incoming.head);
      const options = { kind: 'server', parent: envelope.traceparent } as const;
      return await inSpan(operation.id, options, (span) =>
        this.answerCall(operation, handler, envelope, incoming, span),
      );
    };
  }

  private async answerCall(
    operation: Operation,
    handler: MessageHandler,
    envelope: Envelope,
    { body, cancellation }: Incoming,
    span: Span,
  ): Promise<Outgoing> {
    const { deadline, caller } = envelope;
    const { around = directly, answered, begun } = this.watch;
    const ended = begun?.(operation.id);
    const since = performance.now();
    let served: Call | undefined;
    const counts = { inBytes: 0, cpuTime: 0 };
    const answer = await this.guard(
      envelope,
      operation.id,
      deadline,
      cancellation,
      async (cancels) => {
        const made = this.callOf(operation, envelope, body, { cancellation, cancels, counts });
        const call = made instanceof Promise ? await made : made;
        served = call;
        const reply: unknown = await around(call, () => {
          checkPermitted(call.caller, operation);
          return settle(handler(call));
        });
        if (reply instanceof StreamReply) return reply;
        const { status } = operation.response;
        if (reply === undefined) return { status, headers: {}, body: undefined };
        const begun = performance.now();
        const written = json(status, reply);
        counts.cpuTime = (performance.now() - begun) * 1_000;
        return written;
      },
    );
    const { status } = answer;
    if (status >= 500) span.fail();
    const sized = reportSize(answer.body, (outBytes, error) => {
      if (error !== undefined && !isGivenUp(cancellation))
        logBroken(operation.id, envelope, outBytes, error);
      ended?.(status);
      logAccess(
        {
          requestId: envelope.requestId,
          traceId: traceIdOf(envelope.traceparent),
          owner: caller,
          provider: served?.provider,
          operation: operation.id,
          status,
        },
        since,
      );
      answered?.({
        operation: operation.id,
        requestId: envelope.requestId,
        caller,
        call: served,
        status: error === undefined ? status : 502,
        durationMs: performance.now() - since,
        failure: answer.failure,
        answer: answer.body instanceof Uint8Array ? answer.body : undefined,
        outBytes,
        ...counts,
      });
    });
    return outgoing({
      status,
      headers:
        served?.responseHeaders?.['ratelimit'] === undefined
          ? answer.headers
          : { ...served.responseHeaders, ...answer.headers },
      body: sealedReply(this.bodies, envelope, status, sized),
    });
  }

  /** Bodies are read completely before the handler runs, except files, which the handler reads. */
  private callOf(
    { request }: Operation,
    envelope: Envelope,
    body: Incoming['body'],
    { cancellation, cancels, counts }: CallParts,
  ): Call | Promise<Call> {
    if (request !== 'multipart' || body === undefined) {
      const callWith = (collected: Buffer) => {
        const bytes = opened(this.bodies, envelope, collected);
        counts.inBytes = bytes.length;
        return new RequestCall(envelope, bytes, cancels) as unknown as Call;
      };
      if (body === undefined || body instanceof Uint8Array) return callWith(whole(body));
      return collect(body).then(callWith);
    }
    const upload: Upload = {
      contentType: envelope.contentType ?? '',
      ...(envelope.contentLength === undefined ? {} : { length: envelope.contentLength }),
      body: countBytes(body, cancellation, (bytes) => (counts.inBytes += bytes)),
    };
    return new RequestCall(envelope, Buffer.alloc(0), cancels, upload) as unknown as Call;
  }

  private internal(pattern: string, handler: MessageHandler): FrameHandler {
    const name = pattern.slice(internalPrefix.length);
    return async ({ head, body, cancellation }: Incoming) => {
      const since = performance.now();
      const { requestId = '-', deadline, traceparent } = JSON.parse(head) as InternalHead;
      const serve = async (cancels: () => Cancellation) => {
        const given = openInternal(this.bodies, name, 'input', await collect(body));
        const input: unknown = JSON.parse(Buffer.from(given).toString());
        const context: InternalContext = { signal: () => cancels().signal };
        const { body: output, ...rest } = json(
          200,
          (await settle(handler(input, context))) ?? null,
        );
        return { ...rest, body: sealInternal(this.bodies, name, 'output', output) };
      };
      const options = { kind: 'server', parent: traceparent } as const;
      return await inSpan(name, options, async (span) => {
        const answer = await this.guard(
          { requestId, traceparent },
          pattern,
          deadline,
          cancellation,
          serve,
        );
        if (answer.status >= 500) span.fail();
        logAccess(
          { requestId, traceId: traceIdOf(traceparent), operation: name, status: answer.status },
          since,
        );
        return outgoing(answer);
      });
    };
  }

  /** Runs a handler until it ends or its deadline passes, and returns a response in any case. */
  private async guard(
    named: Named,
    name: string,
    deadline: number,
    cancellation: Cancellation,
    work: (cancels: () => Cancellation) => Promise<Answer>,
  ): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const cancels = () => {
      timer ??= setTimeout(
        () => cancellation.cancel(timedOut()),
        Math.max(1, deadline - Date.now()),
      );
      return cancellation;
    };
    try {
      return await work(cancels);
    } catch (error) {
      const failure = callFailure(error);
      if (!isGivenUp(cancellation)) logFailure(name, named, failure, error);
      const problem = failure.toProblem(`/requests/${named.requestId}`, new Date());
      return { ...json(failure.status, problem, failure.options.headers), failure };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Checks permissions again after the gateway, so that a message that bypasses the gateway gets no further than a request. */
function checkPermitted(caller: Caller | null, operation: Operation): void {
  if (operation.public) return;
  if (caller === null) throw unauthorized('the call has no caller', 'Call through the gateway.');
  if (!decide(caller, operation).allowed)
    throw forbidden(
      `the token does not permit ${operation.id}`,
      'Use a token whose role or permission set allows it.',
    );
}

async function settle(result: unknown): Promise<unknown> {
  const value: unknown = await result;
  return isObservable(value) ? await lastValueFrom(value, { defaultValue: undefined }) : value;
}
