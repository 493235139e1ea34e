import { ApiError, type Problem } from '#contract';
import { type Bodies, collect, openedReply, sealed } from './bodies.js';
import { Bus, type BusReply, type Bytes, type CallOptions, type Envelope } from './bus.js';
import { Cancellation } from './cancellation.js';
import type { Events } from './events.js';
import type { InternalCalls } from './internal-calls.js';
import { eventSubject, internalSubject } from './subjects.js';
import {
  ConnectionLost,
  DeadlinePassed,
  NoResponders,
  type Outgoing,
  type Transport,
} from './transport.js';

interface ReplyHead {
  status: number;
  headers: Record<string, string>;
}

/** The head of an internal call. */
export interface InternalHead {
  requestId?: string;
  deadline: number;
}

const internalBudgetMs = 10_000;

/** The bus over a transport. */
export class MessageBus extends Bus {
  /** @param bodies seals bodies that carry secrets; who serves them needs the same. */
  constructor(
    private readonly transport: Transport,
    private readonly bodies?: Bodies,
  ) {
    super();
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
    const { deadline } = envelope;
    const reply = await this.send(
      subject,
      envelope,
      sealed(this.bodies, envelope, body),
      deadline,
      cancellation,
    );
    const head = JSON.parse(reply.head) as ReplyHead;
    const answer = await openedReply(this.bodies, envelope, head.status, reply.body);
    return { ...head, body: answer };
  }

  async call<Name extends keyof InternalCalls>(
    name: Name,
    input: InternalCalls[Name]['input'],
    { requestId, deadline = Date.now() + internalBudgetMs, signal }: CallOptions = {},
  ): Promise<InternalCalls[Name]['output']> {
    const head: InternalHead = { deadline, ...(requestId === undefined ? {} : { requestId }) };
    const body = Buffer.from(JSON.stringify(input));
    const cancellation = signal === undefined ? new Cancellation() : Cancellation.of(signal);
    const reply = await this.send(internalSubject(name), head, body, deadline, cancellation);
    const { status, headers } = JSON.parse(reply.head) as ReplyHead;
    const answer: unknown = JSON.parse((await collect(reply.body)).toString());
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
      handler(JSON.parse(Buffer.from(payload).toString()) as Events[Name]),
    );
  }

  onReconnect(handler: () => void): () => void {
    return this.transport.onReconnect(handler);
  }

  private async send(
    subject: string,
    head: unknown,
    body: Bytes | undefined,
    deadline: number,
    cancellation: Cancellation,
  ): Promise<Outgoing> {
    try {
      const message = { head: JSON.stringify(head), body };
      return await this.transport.request(subject, message, { deadline, cancellation });
    } catch (error) {
      if (error instanceof NoResponders)
        throw new ApiError(503, 'the service that answers this call is not running', {
          remediation:
            'Try again in a moment; /health/ready of each process tells its operator what it lacks.',
          headers: { 'retry-after': '1' },
          cause: error,
        });
      if (error instanceof ConnectionLost)
        throw new ApiError(503, 'the connection between the services broke during the call', {
          remediation:
            'Try again with the same Idempotency-Key; the call may have been carried out.',
          headers: { 'retry-after': '1' },
          cause: error,
        });
      if (error instanceof DeadlinePassed)
        throw new ApiError(504, 'the deadline passed before the call was answered', {
          remediation: 'Ask for less at a time, or try again.',
          cause: error,
        });
      throw error;
    }
  }
}

/** The failure another service told, as it threw it. */
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
