import { mayCallUnasked } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Link } from '../../parts/link.js';
import { Toned } from '../../parts/state.js';

/** The integrations that a new installation begins with. */
const maxFirst = 2;
const pollMs = 15_000;

interface Step {
  text: string;
  to: string;
  link: string;
  isDone: boolean;
}

/**
 * The way through the first ten minutes. What is done is read from the records, so nobody has to tick it off; it is gone once all is done,
 * or once there are more integrations than somebody has who tries it.
 */
export function FirstSteps() {
  const statuses = useRead('status_list', { query: { limit: maxFirst + 1 } }, pollMs).data?.result;
  const isNew = statuses !== undefined && statuses.length <= maxFirst;
  const isAsked =
    isNew && mayCallUnasked('mappings_list') && mayCallUnasked('integrationPoints_list');
  const query = { limit: 1 };
  const mappings = useRead('mappings_list', { query }, undefined, isAsked);
  const points = useRead('integrationPoints_list', { query }, undefined, isAsked);
  if (!isNew) return null;
  const [first] = statuses;
  const address = first && `${first.account_id}/${first.integration_id}`;
  const steps: Step[] = [
    {
      text: 'Connect a system. One whose name begins with “Mock” needs no account anywhere.',
      to: '/integrations/new',
      link: 'Connect a system',
      isDone: statuses.length > 0,
    },
    {
      text: 'Read its records, normalized and as the provider sent them, and take the command.',
      to: `/explorer${address ? `?integration=${address}` : ''}`,
      link: 'Try it in the explorer',
      isDone: statuses.some(({ requests }) => requests > 0),
    },
    {
      text: 'Connect a second system, and send the same request: the answer has the same shape.',
      to: '/integrations/new',
      link: 'Connect another',
      isDone: statuses.length > 1,
    },
    {
      text: 'Change what a field means, and see it while you type.',
      to: `/studio${address ? `?integration=${address}` : ''}`,
      link: 'Open the mapping studio',
      isDone: (mappings.data?.result.length ?? 0) > 0,
    },
    {
      text: 'Let customers connect by themselves, in a page of yours or by a link.',
      to: '/points',
      link: 'Create an integration point',
      isDone: (points.data?.result.length ?? 0) > 0,
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">The first ten minutes</h2>
      <ol class="lines">
        {steps.map(({ text, to, link, isDone }) => (
          <li key={text}>
            <Toned tone={isDone ? 'good' : 'none'}>{isDone ? 'Done' : 'To do'}</Toned>
            <span class="grow">{text}</span>
            <Link to={to}>{link}</Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
