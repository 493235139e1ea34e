import type { ManagementSchemas } from '#contract';
import { mayCallUnasked } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Ago } from '../../parts/time.js';

const dayMs = 86_400_000;
const days = 14;
const maxRead = 200;
const maxListed = 6;

type Token = ManagementSchemas['RefreshToken'];

/** Whether a token of a program ends soon. Those that were made for less than a day, as by the explorer, are meant to. */
function isEnding({ primary: { access }, updated_at: from }: Token): boolean {
  const end = Date.parse(access.expires);
  const isShort = end - Date.parse(from) <= dayMs;
  return !isShort && end > Date.now() && end < Date.now() + days * dayMs;
}

/** Tokens of programs that end soon, unless the program renews them: the API filters by the end of the whole record alone. */
export function EndingTokens() {
  const query = { limit: maxRead, filter: 'token_type[neq]logon' };
  const isPermitted = mayCallUnasked('tokens_list');
  const tokens = useRead('tokens_list', { query }, undefined, isPermitted);
  if (!isPermitted) return null;
  return (
    <section class="card" aria-labelledby="ending">
      <h2 id="ending">Tokens that end in {days} days</h2>
      <Loaded of={tokens} lines={2}>
        {({ result: all }) => {
          const result = all.filter(isEnding);
          return result.length === 0 ? (
            <p class="empty">None{all.length === maxRead && ` of the first ${maxRead}`}.</p>
          ) : (
            <>
              <ul class="lines">
                {result.slice(0, maxListed).map(({ id, fullname, primary }) => (
                  <li key={id}>
                    <bdi>{fullname === id ? 'Without a name' : fullname}</bdi>
                    <small>
                      <Ago time={primary.access.expires} /> · <code>{id}</code>
                    </small>
                  </li>
                ))}
              </ul>
              {result.length > maxListed && <p class="hint">And more.</p>}
              <p>
                <Link to="/tokens">Rotate them in the list of tokens</Link>
              </p>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
