import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { useAttempt } from '../attempt.js';
import { countInWords } from '../count-in-words.js';
import { filtersOf, type IntegrationFilter } from './filter.js';

/** Counts the integrations when somebody asks: for the service that is more work than a page. */
export function Total({ filter }: { filter: IntegrationFilter }) {
  const [count, setCount] = useState<string>();
  const { run, isBusy, error } = useAttempt();
  const filters = filtersOf(filter);
  useEffect(() => setCount(undefined), [filters.join()]);
  const ask = () =>
    run(async (signal) => {
      const query = { limit: 1, total: 'true', filter: filters };
      setCount(countInWords(await call('status_list', { query }, signal)));
    });
  return (
    <p class="hint" role="status">
      {count === undefined ? (
        <button type="button" class="small" aria-disabled={isBusy} onClick={() => void ask()}>
          Count all
        </button>
      ) : (
        `${count} in all.`
      )}
      {error && ` It could not be counted: ${error.message}.`}
    </p>
  );
}
