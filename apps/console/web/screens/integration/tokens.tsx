import { useState } from 'preact/hooks';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { useNotEnded } from '../../parts/tokens/not-ended.js';
import { OwnTokenList } from '../../parts/tokens/token-list.js';
import { CreateIntegrationToken } from './create-token.js';

/** Tokens by which programs call this integration. */
export function Tokens({ path }: { path: { accountId: string; integrationId: string } }) {
  const isPermitted = mayCall('tokens_list');
  const filter = [`owner_id[eq]${path.integrationId}`, useNotEnded()];
  const pages = usePages('tokens');
  const query = { limit: pageSize, start_after: pages.startAfter, filter };
  const tokens = useRead('tokens_list', { query }, undefined, isPermitted);
  const [isCreating, setCreating] = useState(false);
  return (
    <section class="stack" aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <Permitted operation="tokens_list" what="the tokens of the integration">
        <OwnTokenList
          of={tokens}
          lines={2}
          pages={pages}
          empty="No program has a token of this integration."
        />
      </Permitted>
      <p class="buttons start">
        <Action operation="tokens_create_integration_token" onClick={() => setCreating(true)}>
          New token
        </Action>
      </p>
      {isCreating && <CreateIntegrationToken {...path} onClose={() => setCreating(false)} />}
    </section>
  );
}
