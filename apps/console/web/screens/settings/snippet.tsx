import { useState } from 'preact/hooks';
import { useAttempt } from '../../parts/attempt.js';
import { Copy } from '../../parts/copy.js';
import { embedAddress, embedHash } from './embed-hash.js';
import type { Organization } from './form-values.js';

/** The lines for a page of the host. */
export function Snippet({ organization }: { organization: Organization }) {
  const [hash, setHash] = useState<string>();
  const [isPinned, setPinned] = useState(false);
  const { run, error } = useAttempt();
  const text = snippetOf(organization.name, isPinned ? hash : undefined);
  return (
    <section class="card" aria-labelledby="snippet">
      <h2 id="snippet">For a page of yours</h2>
      <p class="hint">
        The page has to be at one of the origins above, and your server creates the session: its
        token connects one system of one customer, and nothing else.{' '}
        <Copy text={text} name="the lines for your page" />
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={isPinned}
          onChange={({ currentTarget: { checked } }) => {
            setPinned(checked);
            if (checked) void run(async (signal) => setHash(await embedHash(signal)));
          }}
        />
        With the hash of the script
      </label>
      <p class="hint">
        Browsers then run this version of the script alone. The hash changes with each release of
        Onefold: take the new lines before you upgrade.
      </p>
      {isPinned && error && (
        <p class="fault" role="alert">
          {error.message}
        </p>
      )}
      <pre role="group" tabIndex={0} aria-label="Lines for a page of yours">
        {text}
      </pre>
    </section>
  );
}

function snippetOf(organization: string, hash: string | undefined): string {
  const integrity = hash === undefined ? '' : `\n  integrity="${hash}"\n  crossorigin="anonymous"`;
  return `<button id="connect">Connect your system</button>
<script src="${embedAddress()}"${integrity}></script>
<script>
  document.getElementById('connect').onclick = async () => {
    // your server makes the session: connect_create_session
    const { token } = await (await fetch('/connect-session', { method: 'POST' })).json();
    Onefold.connect({
      organization: '${organization}',
      session: token,
      onExit: (reason) => console.log(reason),
    });
  };
</script>`;
}
