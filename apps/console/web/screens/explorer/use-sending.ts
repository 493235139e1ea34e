import { useEffect, useState } from 'preact/hooks';
import { type Response, sendForText } from '../../api/client.js';
import type { Declared } from '../../api/api-documents.js';
import { type IntegrationPath, sendThrough } from '../../api/integration-token.js';
import type { Input } from '../../api/operations.js';
import { session } from '../../api/session.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';

/**
 * Sends an operation to one system, and keeps what came back.
 * @param path the integration; undefined for the management API, which is called by the session
 * @param system name of the system for people, where there are several
 */
export function useSending({ id }: Declared, path: IntegrationPath | undefined, system = '') {
  const attempt = useAttempt();
  const [response, setResponse] = useState<Response>();
  useEffect(() => {
    // An answer of the system before is not one of this system, also if it still comes.
    attempt.cancel();
    setResponse(undefined);
  }, [path?.integrationId]);
  const send = (input: Input) =>
    attempt.run(async (signal) => {
      setResponse(undefined);
      const received =
        path === undefined
          ? await sendForText(id, input, session.peek()?.token, signal)
          : await sendThrough(path, id, input, signal);
      setResponse(received);
      const of = system === '' ? '' : ` of ${system}`;
      announce(`The answer${of} is there, with status ${received.status}`);
    });
  return { ...attempt, response, send };
}

export type Sending = ReturnType<typeof useSending>;
