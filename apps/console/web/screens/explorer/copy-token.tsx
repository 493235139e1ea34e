import { useState } from 'preact/hooks';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { type IntegrationPath, integrationToken } from '../../api/integration-token.js';

/** Copies a token of an integration, so that the command works in a terminal for ten minutes. */
export function CopyToken({ path }: { path: IntegrationPath }) {
  const [isCopied, setCopied] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const copy = () =>
    run(async (signal) => {
      await navigator.clipboard.writeText(await integrationToken(path, signal));
      setCopied(true);
      announce('A token for ten minutes is copied');
    });
  return (
    <>
      <Action
        operation="tokens_create_integration_token"
        kind="small"
        isBusy={isBusy}
        onClick={() => void copy()}
      >
        {isCopied ? 'Token copied' : 'Copy a token for ten minutes'}
      </Action>
      {error && <span class="wrong"> {error.message}</span>}
    </>
  );
}
