import {
  BridgeFailure,
  readFailure,
  readRequest,
  readResponse,
  writeFailure,
  writeRequest,
} from '#bridge';
import { type Bodies, collect } from './bodies.js';
import { busFailure } from './bus-failure.js';
import type { BridgeCall, BridgeHandler, BridgeReply, Bytes } from '../bus.js';
import {
  ConnectionLost,
  DeadlinePassed,
  type FrameHandler,
  NoResponders,
  type Outgoing,
  ProcessGone,
} from '../transport.js';

/** Requests and responses on the bus. Heads and whole bodies, which may hold credentials and access tokens, are encrypted. */
export class BridgeMessages {
  constructor(private readonly bodies: Bodies | undefined) {}

  writeCall({ head, body }: BridgeCall): Outgoing {
    const request = writeRequest({ ...head, hasBody: body !== undefined });
    return this.write('request', { request }, body);
  }

  /** @throws BridgeFailure */
  async readReply(reply: Outgoing): Promise<BridgeReply> {
    const { value, body } = await this.read('response', reply);
    if (value['failure'] !== undefined) throw readFailure(value['failure']);
    const head = readResponse(Object(value['response']) as Record<string, unknown>);
    return { head, body: body ?? Buffer.alloc(0) };
  }

  /** Serves calls with a handler; its failures are part of the reply. */
  handler(handle: BridgeHandler): FrameHandler {
    return async ({ head, body, cancellation }) => {
      try {
        const call = await this.read('request', { head, body });
        const request = readRequest(Object(call.value['request']) as Record<string, unknown>);
        const reply = await handle({ head: request, body: call.body }, cancellation);
        return this.write('response', { response: reply.head }, reply.body);
      } catch (error) {
        const failure =
          error instanceof BridgeFailure
            ? error
            : new BridgeFailure('unreachable', (error as Error).message, true);
        return this.write('response', { failure: writeFailure(failure) }, undefined);
      }
    };
  }

  private write(direction: string, value: object, body: Bytes | undefined): Outgoing {
    const isWhole = body instanceof Uint8Array;
    const text = Buffer.from(JSON.stringify({ ...value, is_whole: isWhole }));
    const head = JSON.stringify({ sealed: this.seal(direction, text).toString('base64') });
    return { head, body: isWhole ? this.seal(direction, body) : body };
  }

  private async read(
    direction: string,
    { head, body }: Outgoing,
  ): Promise<{ value: Record<string, unknown>; body: Bytes | undefined }> {
    const { sealed } = JSON.parse(head) as { sealed: string };
    const text = this.open(direction, Buffer.from(sealed, 'base64'));
    const value = JSON.parse(Buffer.from(text).toString()) as Record<string, unknown>;
    if (value['is_whole'] !== true) return { value, body };
    return { value, body: this.open(direction, await collect(body)) };
  }

  private seal(direction: string, bytes: Uint8Array): Buffer {
    return Buffer.from(this.bodies?.seal(`bridge ${direction}`, bytes) ?? bytes);
  }

  private open(direction: string, bytes: Uint8Array): Uint8Array {
    return this.bodies?.open(`bridge ${direction}`, bytes) ?? bytes;
  }
}

/** Converts a failure of the bus into that of a bridge. */
export function bridgeFailureOf(error: unknown): unknown {
  if (error instanceof NoResponders)
    return new BridgeFailure('none', 'no agent is connected', false);
  if (error instanceof ProcessGone || error instanceof ConnectionLost)
    return new BridgeFailure('gone', 'the gateway of the agent has ended', true);
  if (error instanceof DeadlinePassed)
    return new BridgeFailure('late', 'the agent did not answer in time', true);
  return busFailure(error);
}
