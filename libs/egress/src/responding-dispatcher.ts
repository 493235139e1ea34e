import { Dispatcher } from 'undici';
import { Responder } from './responder.js';

/** Lets an HTTP client of undici get its responses from code, in place of connections. */
export abstract class RespondingDispatcher extends Dispatcher {
  /** Answers a request. What it throws is the failure of the request. */
  protected abstract respond(
    options: Dispatcher.DispatchOptions,
    responder: Responder,
  ): Promise<void>;

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const responder = new Responder(handler);
    responder.start();
    this.respond(options, responder).catch((error: unknown) => responder.fail(error as Error));
    return true;
  }

  override async close(): Promise<void> {
    // No connection is open.
  }

  override async destroy(): Promise<void> {
    // No connection is open.
  }
}
