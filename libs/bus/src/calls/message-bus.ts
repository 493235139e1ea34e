import { ApiError, operationOf, type Problem } from '#contract';
import { currentTraceparent } from '#observe';
import { type Bodies, collect, openedReply, openInternal, sealed, sealInternal } from './bodies.js';
import { bridgeFailureOf, BridgeMessages } from './bridge-calls.js';
import {
  type BridgeCall,
  type BridgeHandler,
  type BridgeReply,
  Bus,
  type BusReply,
  type Bytes,
  type CallOptions,
  type Envelope,
} from '../bus.js';
import { busFailure } from './bus-failure.js';
import { Cancellation } from '../cancellation.js';
import { writeEnvelope } from '../messages/envelope-head.js';
import { type Events, readEvent } from '../events.js';
import { internalCallRules } from './internal-call-rules.js';
import type { InternalCalls } from './internal-calls.js';
import { bridgeSubject, domainCallSubject, eventSubject, internalSubject } from '../subjects.js';
import {
  ConnectionLost,
  type Offer,
  type Outgoing,
  ProcessGone,
  type Transport,
} from '../transport.js';

interface SendOptions {
  deadline: number;
  cancellation: Cancellation;
  /** True if the call is sent again when the process that accepted it ends or a connection breaks. */
  isRepeatable: boolean;
  idempotencyKey?: string | undefined;
}

interface ReplyHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The head of an internal call. */
export interface InternalHead {
  requestId?: string;
  /** W3C trace context. */
  traceparent?: string;
  deadline: number;
}

const internalBudgetMs = 10_000;
/** A call that may be repeated is: the first process may only be busy, and the next one dead without anybody having noticed. */
const maxAttempts = 3;

/** The bus over a transport. */
export class MessageBus extends Bus {
  private readonly bridges: BridgeMessages;

  /** @param bodies encrypts bodies with secrets; the serving process needs the same keys */
  constructor(
    private readonly transport: Transport,
    private readonly bodies?: Bodies,
  ) {
    super();
    this.bridges = new BridgeMessages(bodies);
  }

  get isConnected(): boolean {
    return this.transport.isConnected;
  }

  async request(
    subject: string,
    envelope: Envelope,
    body: Bytes | undefined,
    cancellation: Cancellation,
  ): Promise<BusReply> {
    const { deadline, operation, idempotencyKey } = envelope;
    const options = {
      deadline,
      cancellation,
      isRepeatable: operationOf(operation).method === 'GET',
      idempotencyKey,
    };
    const traceparent = currentTraceparent();
    const traced = traceparent === undefined ? envelope : { ...envelope, traceparent };
    const sent = sealed(this.bodies, traced, body);
    const reply = await this.send(subject, writeEnvelope(traced), sent, options);
    const head = replyHeadOf(reply.head);
    const answer = await openedReply(this.bodies, traced, head.status, reply.body);
    return { status: head.status, headers: head.headers, body: answer };
  }

  async call<Name extends keyof InternalCalls>(
    name: Name,
    input: InternalCalls[Name]['input'],
    given: CallOptions = {},
  ): Promise<InternalCalls[Name]['output']> {
    const { domain } = given;
    const subject = domain === undefined ? internalSubject(name) : domainCallSubject(domain, name);
    const { head, body, options } = this.internalCall(name, input, given);
    return await this.outputOf(name, await this.send(subject, head, body, options));
  }

  async callAll<Name extends keyof InternalCalls>(
    name: Name,
    input: InternalCalls[Name]['input'],
    given: CallOptions = {},
  ): Promise<InternalCalls[Name]['output'][]> {
    const { head, body, options } = this.internalCall(name, input, given);
    const message = { head, body };
    const replies = await this.transport
      .requestAll(internalSubject(name), message, options)
      .catch((error: unknown) => {
        throw busFailure(error, options);
      });
    return await Promise.all(replies.map((reply) => this.outputOf(name, reply)));
  }

  private internalCall<Name extends keyof InternalCalls>(
    name: Name,
    input: InternalCalls[Name]['input'],
    { requestId, deadline = Date.now() + internalBudgetMs, signal }: CallOptions,
  ): { head: string; body: Uint8Array; options: SendOptions } {
    const traceparent = currentTraceparent();
    const head: InternalHead = {
      deadline,
      ...(requestId === undefined ? {} : { requestId }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const given = Buffer.from(JSON.stringify(input));
    const body = sealInternal(this.bodies, name, 'input', given);
    const cancellation = signal === undefined ? new Cancellation() : Cancellation.of(signal);
    const { isRepeatable } = internalCallRules[name];
    return { head: JSON.stringify(head), body, options: { deadline, cancellation, isRepeatable } };
  }

  private async outputOf<Name extends keyof InternalCalls>(
    name: Name,
    reply: Outgoing,
  ): Promise<InternalCalls[Name]['output']> {
    const { status, headers } = replyHeadOf(reply.head);
    const bytes: Uint8Array = await collect(reply.body);
    const output = status < 300 ? openInternal(this.bodies, name, 'output', bytes) : bytes;
    const answer: unknown = JSON.parse(Buffer.from(output).toString());
    if (status < 300) return answer as InternalCalls[Name]['output'];
    throw failureOf(status, headers, answer as Problem);
  }

  publish<Name extends keyof Events>(event: Name, payload: Events[Name]): void {
    this.transport.publish(eventSubject(event), Buffer.from(JSON.stringify(payload)));
  }

  subscribe<Name extends keyof Events>(
    event: Name,
    handler: (payload: Events[Name]) => void,
  ): () => void {
    return this.transport.subscribe(eventSubject(event), (payload) =>
      handler(readEvent(event, payload)),
    );
  }

  async callBridge(
    bridgeId: string,
    call: BridgeCall,
    options: { deadline: number; cancellation: Cancellation },
  ): Promise<BridgeReply> {
    const message = this.bridges.writeCall(call);
    try {
      const reply = await this.transport.request(bridgeSubject(bridgeId), message, options);
      return await this.bridges.readReply(reply);
    } catch (error) {
      throw bridgeFailureOf(error);
    }
  }

  serveBridge(bridgeId: string, handler: BridgeHandler): Offer {
    return this.transport.offer(bridgeSubject(bridgeId), this.bridges.handler(handler));
  }

  onReconnect(handler: () => void): () => void {
    return this.transport.onReconnect(handler);
  }

  private async send(
    subject: string,
    head: string,
    body: Bytes | undefined,
    options: SendOptions,
  ): Promise<Outgoing> {
    const message = { head, body };
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.transport.request(subject, message, options);
      } catch (error) {
        const isUnknown = error instanceof ProcessGone || error instanceof ConnectionLost;
        if (!isUnknown || !options.isRepeatable || attempt === maxAttempts)
          throw busFailure(error, options);
      }
  }
}

/** The heads of most responses, by their text: a status and the content type of JSON. */
const replyHeads = new Map<string, ReplyHead>();
const maxReplyHeads = 100;
const maxReplyHeadLength = 100;

function replyHeadOf(text: string): ReplyHead {
  const known = replyHeads.get(text);
  if (known !== undefined) return known;
  const head = JSON.parse(text) as ReplyHead;
  if (text.length <= maxReplyHeadLength && replyHeads.size < maxReplyHeads) {
    Object.freeze(head.headers);
    replyHeads.set(text, Object.freeze(head));
  }
  return head;
}

/** Restores the error that another service has thrown. */
function failureOf(status: number, headers: Record<string, string>, problem: Problem): ApiError {
  const { message, type, detail, remediation, context } = problem;
  const { 'content-type': _ours, ...own } = headers;
  const kind = type?.split(':').at(-1);
  return new ApiError(status, message, {
    headers: own,
    ...(kind ? { kind } : {}),
    ...(detail ? { detail } : {}),
    ...(remediation ? { remediation } : {}),
    ...(context ? { context } : {}),
  });
}
