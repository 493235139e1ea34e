import { Code } from '../../parts/in-words.js';
import { mayCallUnasked } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Ago } from '../../parts/time.js';
import { Message } from '../../parts/message.js';

const maxAlarms = 10;
const pollMs = 60_000;

/** The last alarms of the audit trail, for those who may read it. */
export function Alarms() {
  const query = {
    order: 'created_at[desc]',
    limit: maxAlarms,
    filter: 'audit_type[eq]ALARM',
  };
  const isPermitted = mayCallUnasked('audit_list');
  const alarms = useRead('audit_list', { query }, pollMs, isPermitted);
  if (!isPermitted) return null;
  return (
    <section class="card" aria-labelledby="alarms">
      <h2 id="alarms">Last alarms</h2>
      <Loaded of={alarms} lines={2}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty">
              None. Locked members, refused sign-ons and the like would be listed here.
            </p>
          ) : (
            <>
              <ul class="lines">
                {result.map(({ created_at: at, code, response, path }) => (
                  <li key={at}>
                    {/^\d+$/.test(code) ? <code>{path}</code> : <Code of={code} />}
                    <small>
                      <Ago time={at} />
                    </small>
                    {response && (
                      <p>
                        <Message text={response} />
                      </p>
                    )}
                  </li>
                ))}
              </ul>
              <p>
                <Link to="/audit?what=alarms">All alarms</Link>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
