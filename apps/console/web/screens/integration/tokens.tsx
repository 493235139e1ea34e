import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Permitted } from '../../parts/permitted.js';
import { OwnTokenList, useNotEnded } from '../tokens/token-list.js';

const maxTokens = 50;

/** Tokens by which programs call this integration. */
export function Tokens({ integrationId }: { integrationId: string }) {
  const isPermitted = mayCall('tokens_list');
  const filter = [`owner_id[eq]${integrationId}`, useNotEnded()];
  const query = { limit: maxTokens, filter };
  const tokens = useRead('tokens_list', { query }, undefined, isPermitted);
  return (
    <section class="stack" aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <Permitted operation="tokens_list" what="the tokens of the integration">
        <OwnTokenList
          of={tokens}
          lines={2}
          empty="No program has a token of this integration. The explorer makes one for ten minutes."
        />
      </Permitted>
    </section>
  );
}
