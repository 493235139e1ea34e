import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { appendFileSync, chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#embedded';
import { startApp } from '../../e2e/processes.js';
import { type ServiceFacts, type ServiceName, variable } from './ask-for-service.js';
import { startChromium } from '../programs/chromium.js';
import { createDatabase } from '../postgres/create-database.js';
import { startNats } from '../nats/nats.js';
import { createRunFolder } from './run-folder.js';

interface Service extends ServiceFacts {
  stop(): Promise<unknown>;
}

/** A process starts within seconds; on a machine with much else to do, later. */
const maxStartMs = 240_000;

/** Provides PostgreSQL and NATS from jest's main process during a test run. */
export class TestServices {
  private readonly folder: string;
  private readonly started = new Map<ServiceName, Promise<Service>>();
  private server: Server | undefined;

  constructor() {
    this.folder = createRunFolder();
    // When root runs the tests, the database runs as another user, who must be able to enter this folder.
    chmodSync(this.folder, 0o711);
  }

  async listen(): Promise<void> {
    const path = join(this.folder, 'services.sock');
    this.server = createServer((socket) => {
      socket.on('error', () => socket.destroy()); // a killed worker must not affect the others
      socket.once('data', (name) => {
        this.service(name.toString() as ServiceName)
          .then(({ url, databaseUrl, keyFile, log }) => ({
            facts: { url, databaseUrl, keyFile, log },
          }))
          .catch((error: unknown) => ({
            error: error instanceof Error ? error.message : String(error),
          }))
          .then(
            (answer) => socket.end(JSON.stringify(answer)),
            () => socket.destroy(),
          );
      });
    }).listen(path);
    await once(this.server, 'listening');
    this.server.unref();
    process.env[variable] = path;
  }

  async stop(): Promise<void> {
    this.server?.close();
    // The template and the database of Onefold are of the server that started before them.
    for (const service of [...this.started.values()].reverse())
      await service.then(
        (running) => running.stop(),
        () => undefined, // it did not start, and the spec that needed it got the error
      );
    rmSync(this.folder, { recursive: true, force: true });
  }

  private service(name: ServiceName): Promise<Service> {
    let service = this.started.get(name);
    if (service === undefined) {
      service = this[name]();
      this.started.set(name, service);
    }
    return service;
  }

  private async postgres(): Promise<Service> {
    const given = process.env['DATABASE_URL'];
    if (given) return { url: given, stop: async () => undefined };
    return startEmbeddedPostgres({ folder: this.folder, durable: false, maxConnections: 400 });
  }

  /** A database with the tables of this version and no rows, which specs copy: it takes a tenth of creating the tables again. */
  private async template(): Promise<Service> {
    const server = await this.service('postgres');
    const database = await createDatabase(server.url, `onefold_test_template_${process.pid}`);
    // Loaded here, because most runs of a single folder need no tables.
    const { migrate } = await import('#store');
    const { migrateQueue } = await import('#queue');
    await migrate(database.url, migrateQueue);
    return { url: database.url, stop: database.drop };
  }

  private async nats(): Promise<Service> {
    const given = process.env['NATS_URL'];
    if (given) return { url: given, stop: async () => undefined };
    return startNats();
  }

  private async chromium(): Promise<Service> {
    const server = await startChromium();
    return { url: server.wsEndpoint(), stop: () => server.close() };
  }

  /** Onefold in one process, for specs that only call it: each makes an organization of its own (`sharedOnefold`). */
  private async standalone(): Promise<Service> {
    const [server, template] = [await this.service('postgres'), await this.service('template')];
    const name = `onefold_test_standalone_${process.pid}`;
    const database = await createDatabase(
      server.url,
      name,
      new URL(template.url).pathname.slice(1),
    );
    const [data, log] = [join(this.folder, 'standalone'), join(this.folder, 'standalone.log')];
    const running = startApp('standalone', ['--port', '0', '--data', data], {
      DATABASE_URL: database.url,
      EGRESS_ALLOW: '127.0.0.1', // fakes and other servers of specs
    });
    for (const stream of [running.child.stdout, running.child.stderr])
      stream?.on('data', (chunk: Buffer) => appendFileSync(log, chunk));
    const stop = async () => {
      await running.stop();
      await database.drop();
    };
    try {
      const [, url = ''] = await running.says(/^Address: (\S+)$/m, maxStartMs);
      await running.says(/^Ctrl-C stops it\.$/m, maxStartMs);
      const keyFile = join(data, 'keys/key-encryption.key');
      return { url, databaseUrl: database.url, keyFile, log, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  }
}
