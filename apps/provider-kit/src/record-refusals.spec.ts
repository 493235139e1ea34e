import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { record } from './record.js';
import { recordedFolder } from './recorded-folder.fixture.js';

const steps = `    steps:
      - name: projects
        path: /projects
    rows: this.steps.projects
  ticketing_delete_comment:
    needs: Write
    steps:
      - name: parts
        each: '[1, 2]'
        method: DELETE
        path: /parts/{this.item}
`;
const call = `  - operation: ticketing_delete_comment
    path: { ticketId: '1', commentId: '2' }
`;

it('a refusal has the answer that refused, and what comes later is of no other call', async () => {
  const { folder, remove } = recordedFolder(
    `token: { send: header, name: authorization, value: '"Bearer " + this.credential.secret' }`,
    steps,
  );
  const document = new URL('provider.yaml', folder.url);
  const text = readFileSync(document, 'utf8');
  writeFileSync(document, text.replace(/ {2}ticketing_delete_comment: it is not.*\n/, ''));
  const plan = new URL('fixtures/record.yaml', folder.url);
  writeFileSync(plan, readFileSync(plan, 'utf8') + call);
  // The second part of the refused call is answered between the parts of the next call.
  let late: ServerResponse | undefined;
  let first: ServerResponse | undefined;
  const answer = (response: ServerResponse | undefined, status: number, message: string) => {
    if (response?.headersSent === false)
      response.writeHead(status).end(JSON.stringify({ message }));
  };
  const server = createServer(({ url, headers }, response) => {
    const isWeak = headers.authorization === 'Bearer weak-secret-4712';
    const isGood = headers.authorization === 'Bearer live-secret-4711';
    response.setHeader('content-type', 'application/json');
    if (url === '/projects') response.writeHead(isWeak || isGood ? 200 : 401).end('[]');
    else if (isWeak && url === '/parts/2') late = response;
    else if (isGood && url === '/parts/1') first = response;
    else if (isGood) {
      answer(response, 200, 'done');
      setTimeout(() => answer(late, 403, 'late'), 50);
      setTimeout(() => answer(first, 200, 'done'), 100);
    } else answer(response, 403, 'no');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const live = {
      configuration: {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        credential: { type: 'token', secret: 'live-secret-4711' },
      },
      forbidden: { secret: 'weak-secret-4712' },
    };
    await record(folder, live, () => undefined);
    const { refusals } = parse(folder.read('fixtures/refusals.yaml')) as {
      refusals: Record<string, object>;
    };
    expect(refusals['403']).toMatchObject({ response: { status: 403 }, words: 'no' });
    const { cases } = parse(folder.read('fixtures/ticketing_delete_comment.yaml')) as {
      cases: { works: { exchanges: { response: { status: number } }[] } };
    };
    expect(cases.works.exchanges.map((one) => one.response.status)).toEqual([200, 200]);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    remove();
  }
});
