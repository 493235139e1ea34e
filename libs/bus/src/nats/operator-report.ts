import { Logger } from '@nestjs/common';
import type { RefusedProcess } from '#observe';
import { Kind } from '../messages/sealed-message.js';
import type { NatsLink } from './nats-link.js';

const log = new Logger('bus');

/** The other processes that a process knows. */
interface Seen {
  peers: readonly { process: string; serves: readonly string[] }[];
  refused: readonly RefusedProcess[];
}

/** Answers the question of an operator. @param own returns what the process tells of itself @param seen what it knows of others */
export async function answerOperator(
  link: NatsLink,
  reply: string,
  own: (() => Promise<object>) | undefined,
  seen: () => Seen,
): Promise<void> {
  try {
    const report = Object.assign({}, await own?.(), seen());
    link.publish(Kind.answer, { subject: reply }, { head: JSON.stringify(report) });
  } catch (error) {
    log.error({ message: 'the report for operators failed', error: String(error) });
  }
}
