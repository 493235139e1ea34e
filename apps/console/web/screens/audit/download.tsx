import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { ProblemBox } from '../../parts/problem.js';
import { saveAs } from '../../parts/save-as.js';
import { Waiting } from '../../parts/waiting.js';

const pageSize = 1_000;

/** Saves all records that the filters find, on all pages, as a file with a record in each line; the newest first. */
export function Download({ filters }: { filters: readonly string[] }) {
  const { run, cancel, since, error } = useAttempt();
  const [count, setCount] = useState(0);
  const save = () =>
    run(async (signal) => {
      setCount(0);
      const lines: string[] = [];
      const query = { order: 'created_at[desc]', limit: pageSize, filter: filters };
      for (let after: string | undefined; ;) {
        const input = { query: { ...query, start_after: after } };
        const { result } = await call('audit_list', input, signal);
        for (const one of result) lines.push(`${JSON.stringify(one)}\n`);
        setCount(lines.length);
        after = result.at(-1)?.created_at;
        if (result.length < pageSize || after === undefined) break;
      }
      saveAs(new Blob(lines, { type: 'application/x-ndjson' }), 'audit.ndjson');
      announce(`${lines.length} records are saved`);
    });
  return (
    <>
      {since === undefined ? (
        <button type="button" onClick={() => void save()}>
          Download as NDJSON
        </button>
      ) : (
        <Waiting since={since} onCancel={cancel}>
          {`${count} records …`}
        </Waiting>
      )}
      {error && <ProblemBox error={error} />}
    </>
  );
}
