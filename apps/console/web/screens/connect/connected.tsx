import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { Id } from '../../parts/copy.js';
import { Link } from '../../parts/link.js';
import { sentence } from '../../parts/sentence.js';
import { NewSecret } from '../../parts/new-secret.js';

interface Props {
  created: Result<'integrations_create'>;
  onAgain: () => void;
}

/** The last step: the token of the integration, once, and where to go on. */
export function Connected({ created: { result, messages }, onAgain }: Props) {
  const { integration, token } = result;
  const [isTaken, setTaken] = useState(false);
  const isMasked = token.access.secret.includes('*');
  return (
    <section class="card narrow" aria-labelledby="connected">
      <h2 id="connected">
        <span dir="auto">{integration.fullname}</span> is connected
      </h2>
      {!isMasked && !isTaken && (
        <NewSecret
          title="The token of this integration"
          pair={token}
          lead="Your product calls the connector API with it. It is shown now and never again; you can always create another one."
          onClose={() => setTaken(true)}
        />
      )}
      {(messages?.problems ?? []).map((one, index) => (
        <p class="note" key={index}>
          {sentence(one.message)}
        </p>
      ))}
      <p>
        <Id value={integration.id} />
      </p>
      <ul class="next">
        <li>
          <Link to={`/explorer?integration=${integration.account_id}/${integration.id}`}>
            Read its first records in the explorer
          </Link>
        </li>
        <li>
          <Link to={`/integrations/${integration.account_id}/${integration.id}`}>
            Watch its health
          </Link>
        </li>
        <li>
          <button type="button" class="small" onClick={onAgain}>
            Connect another system of this customer
          </button>
        </li>
      </ul>
    </section>
  );
}
