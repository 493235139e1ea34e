import { Agent } from 'undici';
import { operationOf } from '#contract';
import {
  excusesOf,
  type Extent,
  OverAnswers,
  ProviderFolder,
  type Respond,
  type Varied,
  varyRead,
} from '#apps/provider-kit';
import type { KeyPair } from '../harness/certificates.js';
import type { Replay } from './exchanges.js';
import { openList } from './run-list.js';
import type { ForeignList, VendorTable } from './table.js';

/** Varies the answers that others saw a vendor give to an operation, one value at a time. */
export async function varyList(
  table: VendorTable,
  list: ForeignList,
  certificate: KeyPair,
  extent?: Extent,
): Promise<Varied> {
  const { replay, folder, functions, runs } = await openList(table, list, certificate);
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const required = excusesOf(new ProviderFolder(table.folder)).required_values;
  const varied: Varied = { variants: 0, refused: 0, faults: [] };
  try {
    for (const { configuration, path } of runs) {
      const respond = askReplay(replay, agent);
      const over = new OverAnswers(folder, table.provider, configuration, { respond, functions });
      const operation = operationOf(list.operation);
      const request = { path, query: list.query ?? {} };
      const { variants, refused, faults } = await varyRead(
        over,
        { operation, request },
        { required, ...extent },
      );
      varied.variants += variants;
      varied.refused += refused;
      varied.faults.push(...faults);
    }
    return varied;
  } finally {
    await agent.close();
    await replay.close();
  }
}

/** Sends every request to the replay, which tells hosts apart by their names. */
function askReplay({ url: origin }: Replay, agent: Agent): Respond {
  return async ({ method, url, headers, body }) => {
    const { host, pathname, search } = new URL(url);
    const answer = await agent.request({
      origin,
      method,
      path: `${pathname}${search}`,
      headers: { ...headers, host },
      body: body as Uint8Array,
    });
    const given = Object.entries(answer.headers).filter(
      ([name]) =>
        !['connection', 'content-length', 'keep-alive', 'transfer-encoding'].includes(name),
    );
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(
        given.map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      ),
      body: new Uint8Array(await answer.body.arrayBuffer()),
    };
  };
}
