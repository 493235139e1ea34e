// npm run bench -- attachments: memory that an attachment takes on its way through a JSON operation, in both directions. Gateway and connector
// are in one process. Counted is resident memory at its peak (VmHWM) above that of the process before the first large file: bytes that are held at once, and not
// time. What it printed last stands in docs/performance.md.
//   npm run bench -- attachments --rounds 5
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { listenLocally } from './listen-locally.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const rounds = Number(values.rounds);
const sizesMb = [1, 25];
/** At the peak a large file may take so many times its size, garbage that V8 has not collected yet included. */
const maxFactor = 16;
const maxWaitMs = 180_000;
const { startNode, programOf } = await import(`${root}/dist/test/e2e/processes.js`);
const { startEmbeddedPostgres } = await import(`${root}/dist/libs/embedded/src/index.js`);

const document = `
provider: ticketing_bench
version: 1.0.0
fullname: Bench
vendor: Bench
configuration: { properties: { url: { type: string } }, required: [url] }
credentials: { credential: { token: { send: header, name: x-key, value: this.credential.secret } } }
http: { base_url: this.config.url, limits: { response_bytes: 40000000 } }
operations:
  ticketing_create_attachment:
    request: upload
    response: uploaded
    steps: [{ method: POST, path: /files, body: root = this.body }]
    record: this.steps.call
  ticketing_download_attachment:
    response: download
    steps: [{ path: /file }]
    record: this.steps.call
mappings:
  upload: { engine: bloblang_direct, version: '1.0', templates: { default: "root.name = this.file_name\\nroot.data = this.content" } }
  uploaded: { engine: bloblang_direct, version: '1.0', templates: { default: "root.id = \\"f1\\"\\nroot.ticket_id = \\"1\\"\\nroot.file_name = this.name\\nroot.file_type = \\"application/octet-stream\\"\\nroot.file_size = this.size\\nroot.created_date = \\"2026-01-02T08:00:00Z\\"\\nroot.creator = \\"ada\\"" } }
  download: { engine: bloblang_direct, version: '1.0', templates: { default: "root.file_name = this.name\\nroot.file_type = \\"application/octet-stream\\"\\nroot.content = this.data" } }
`;

let file = '';
const desk = createServer((request, response) => {
  void text(request).then((body) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.method !== 'POST') response.end(file);
    else response.end(JSON.stringify({ name: 'big', size: JSON.parse(body).data.length }));
  });
});
const deskUrl = await listenLocally(desk);
const folder = mkdtempSync(join(tmpdir(), 'onefold-bench-attachments-'));
chmodSync(folder, 0o711);
const database = await startEmbeddedPostgres({ folder: join(folder, 'database') });
const standalone = startNode([programOf('standalone'), '--port', '0'], {
  DATABASE_URL: database.url,
  DATA_FOLDER: join(folder, 'data'),
  EGRESS_ALLOW: '127.0.0.1',
});
let isWithin = true;
let baseline = 0;
try {
  const [, url] = await standalone.says(/^Address: (\S+)$/m, maxWaitMs);
  const [, organization] = await standalone.says(/^Organization token: (\S+)$/m, maxWaitMs);
  const call = async (token, method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const said = await answer.text();
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${said}`);
    return said;
  };
  await call(organization, 'POST', '/v1/customs', { data: document });
  const made = await call(organization, 'POST', '/v1/accounts', { name: 'bench' });
  const { id } = JSON.parse(made).result.account;
  const integration = await call(organization, 'POST', `/v1/integrations/${id}`, {
    provider_config: {
      type: 'ticketing_bench',
      url: deskUrl,
      credential: { type: 'token', secret: 'secret-of-the-bench' },
    },
  });
  const token = JSON.parse(integration).result.token.access.secret;
  for (const mb of sizesMb) {
    const content = Buffer.alloc(mb * 1_048_576, 'bench').toString('base64');
    const body = JSON.stringify({ file_name: 'big', content });
    file = JSON.stringify({ name: 'big', data: content });
    const ways = {
      up: () => call(token, 'POST', '/v1/ticketing/attachments/1', body),
      down: () => call(token, 'GET', '/v1/ticketing/attachments/1/f1/download'),
    };
    for (const [way, run] of Object.entries(ways)) {
      if (baseline === 0) {
        await run(); // compiles what is compiled once
        baseline = memoryOf(standalone.child.pid, 'VmRSS');
      }
      const held = [];
      for (let round = 0; round < rounds; round += 1) held.push(await heldBytes(run));
      const peak = Math.max(...held) / 1_048_576;
      console.log(
        `${mb} MB ${way}: ${held.map((bytes) => (bytes / 1_048_576).toFixed(0)).join(', ')} MB held at the peak, ${(peak / mb).toFixed(1)} times the file`,
      );
      if (mb === Math.max(...sizesMb) && peak / mb > maxFactor) isWithin = false;
    }
  }
} finally {
  await standalone.stop();
  await database.stop();
  desk.close();
  desk.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
if (!isWithin) {
  console.error(`an attachment takes more than ${maxFactor} times its size`);
  process.exitCode = 1;
}

/** Runs a request. @returns how far the resident memory of the process rose above the baseline */
async function heldBytes(run) {
  const { pid } = standalone.child;
  await new Promise((done) => setTimeout(done, 2_000)); // for V8 to give back what the last request left
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // forgets the peak so far (proc_pid_clear_refs(5))
  await run();
  return memoryOf(pid, 'VmHWM') - baseline;
}

function memoryOf(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}
