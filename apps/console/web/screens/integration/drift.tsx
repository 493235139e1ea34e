import { Operation } from '../../parts/in-words.js';
import type { Result } from '#contract';
import { Ago, Exact } from '../../parts/time.js';

type Finding = NonNullable<Result<'status_get'>['result']['drift']>[number];

const texts: Record<Finding['kind'], string> = {
  deprecation: 'The provider says that this is deprecated.',
  sunset: 'The provider says that this ends.',
  warning: 'The provider warns.',
  unknown_value: 'A value is not one of those that are known, and is unknown in the record.',
  unmatched_error: 'The provider failed in a way that its document does not describe.',
  new_field: 'A field came that was not there before.',
};

/** List of what showed that the provider changes its API; nothing where nothing did. */
export function Drift({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <>
      <h3>Changes of the provider</h3>
      <ol class="lines">
        {findings.map((one) => (
          <li key={JSON.stringify(one)}>
            {texts[one.kind]}{' '}
            <small>
              <Ago time={one.last_seen_at} />
            </small>
            <p>
              <Operation id={one.operation} />
              {one.path && (
                <>
                  : <code>{one.path}</code>
                </>
              )}
              {one.code && `: ${one.code}`}
              {one.date && (
                <>
                  : <Exact time={one.date} />
                </>
              )}
              {one.link && (
                <>
                  {' '}
                  <a href={one.link} target="_blank" rel="noopener noreferrer">
                    Read about it
                  </a>
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
