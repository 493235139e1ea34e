// The bare chain that `npm run bench` compares with: node:http in front, NATS between, a worker that calls a node:http server; the work of
// three processes in three threads, no parsing, no checks. Reads the response's body from standard input, prints its address and that of the HTTP server behind.
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { connect } from '@nats-io/transport-node';
import { Agent, request } from 'undici';
import { listenLocally } from './listen-locally.mjs';

const subject = 'onefold.bench.bare';
if (isMainThread) {
  const natsUrl = process.argv[2];
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const provider = await start({ role: 'provider', body: Buffer.concat(chunks).toString() });
  await start({ role: 'worker', natsUrl, provider });
  console.log(await start({ role: 'front', natsUrl }), provider);
} else {
  const { role, natsUrl, provider, body } = workerData;
  const headers = { 'content-type': 'application/json' };
  if (role === 'provider') {
    const bytes = Buffer.from(body);
    await listen(
      createServer((_request, response) =>
        response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes),
      ),
    );
  } else if (role === 'worker') {
    const nats = await connect({ servers: natsUrl });
    const dispatcher = new Agent({ connections: 64 });
    const respond = async (message) => {
      const answer = await request(provider, { dispatcher });
      message.respond(new Uint8Array(await answer.body.arrayBuffer()));
    };
    nats.subscribe(subject, {
      queue: 'bench',
      callback: (_error, message) => void respond(message),
    });
    await nats.flush();
    parentPort?.postMessage('ready');
  } else {
    const nats = await connect({ servers: natsUrl });
    await listen(
      createServer(async ({ url }, response) => {
        const { data } = await nats.request(subject, url, { timeout: 60_000 });
        response.writeHead(200, { ...headers, 'content-length': data.length }).end(data);
      }),
    );
  }
}

function start(data) {
  return new Promise((settle) =>
    new Worker(new URL(import.meta.url), { workerData: data }).once('message', settle),
  );
}

async function listen(server) {
  parentPort?.postMessage(`${await listenLocally(server)}/`);
}
