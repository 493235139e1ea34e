import { bytes, seconds } from '../../parts/numbers.js';
import { Table } from '../../parts/table.js';
import type { RequestRecord } from './request-record.js';

/** The requests to the provider for a call, in their order. Queries are not in the log. */
export function Exchanges({ request }: { request: RequestRecord }) {
  const { exchanges, omitted_exchanges: omitted, duration } = request;
  const provider = exchanges.reduce((sum, one) => sum + one.duration, 0);
  return (
    <section class="stack" aria-labelledby="exchanges">
      <h2 id="exchanges">What the provider was asked</h2>
      {exchanges.length === 0 ? (
        <p class="empty card">
          Nothing. The call ended before a request to the provider, or the system has none, as a
          mock.
        </p>
      ) : (
        <>
          <p>
            {exchanges.length + omitted === 1
              ? 'One request'
              : `${exchanges.length + omitted} requests`}
            , {seconds(provider)} of {seconds(duration)}
            {omitted > 0 && `; the first ${exchanges.length} are listed`}.
          </p>
          <Table
            name="Requests to the provider"
            columns={['Request', 'Answer', { number: 'Took' }, { number: 'Size' }]}
          >
            {exchanges.map((one, index) => (
              <tr key={index}>
                <th scope="row">
                  <code>
                    {one.method} {one.host}
                    {one.path}
                  </code>
                </th>
                <td>{one.status ?? 'no answer'}</td>
                <td class="number">{seconds(one.duration)}</td>
                <td class="number">
                  {one.bytes === null || one.bytes === undefined ? '–' : bytes(one.bytes)}
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </section>
  );
}
