import { serviceOrigin } from '../../api/service.js';
import { Copy } from '../../parts/copy.js';
import type { Organization } from './form-values.js';

/** The lines for a page of the host. */
export function Snippet({ organization }: { organization: Organization }) {
  const text = `<button id="connect">Connect your system</button>
<script src="${serviceOrigin()}/connect/embed-1.js"></script>
<script>
  document.getElementById('connect').onclick = async () => {
    // your server makes the session: connect_create_session
    const { token } = await (await fetch('/connect-session', { method: 'POST' })).json();
    Onefold.connect({
      organization: '${organization.name}',
      session: token,
      onExit: (reason) => console.log(reason),
    });
  };
</script>`;
  return (
    <section class="card" aria-labelledby="snippet">
      <h2 id="snippet">For a page of yours</h2>
      <p class="hint">
        The page has to be at one of the origins above, and your server creates the session: its
        token connects one system of one customer, and nothing else.{' '}
        <Copy text={text} name="the lines for your page" />
      </p>
      <pre role="group" tabIndex={0} aria-label="Lines for a page of yours">
        {text}
      </pre>
    </section>
  );
}
