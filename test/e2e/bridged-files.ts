import { fileURLToPath } from 'node:url';
import { freePort } from '#test/harness';
import { allowed, createGroup, startAgent } from './bridge-agents.js';
import { filesDocument } from './files/document.js';
import { keystream } from './files/keystream.js';
import type { Seen } from './files/storage.js';
import { download, upload } from './files/transfer.js';
import { newFolder, type Onefold, startDistributed } from './onefold.js';
import { PortForwarder } from './port-forwarder.js';
import { type Running, startApp, startNode } from './processes.js';

const mebibyte = 1_048_576;

/** The processes between a caller and the storage. */
export type Between = 'agent' | 'connector' | 'gateway of the agent' | 'gateway of the caller';

/**
 * Storage of files behind a bridge, all in processes of their own. The agent connects to the first gateway, as long as it is there,
 * and callers to the second one.
 */
export class BridgedFiles {
  readonly between: Record<Between, Running>;
  private readonly folder = newFolder();

  private constructor(
    private readonly onefold: Onefold,
    private readonly storage: Running,
    private readonly forwarder: PortForwarder,
    private readonly facts: { address: string; credential: string; port: number },
    readonly headers: Record<string, string>,
    gateway: Running,
  ) {
    this.between = {
      agent: this.startAgent(),
      connector: onefold.processes['connector'] as Running,
      'gateway of the agent': onefold.processes['gateway'] as Running,
      'gateway of the caller': gateway,
    };
  }

  static async start(): Promise<BridgedFiles> {
    const storage = startNode([fileURLToPath(new URL('files/storage.js', import.meta.url))]);
    const onefold = await startDistributed({}, { worker: false });
    const port = await freePort();
    const gateway = startGateway(onefold, port);
    const forwarder = await PortForwarder.start([Number(onefold.env?.['PORT']), port]);
    const [, address = ''] = await storage.says(/at (http:\S+)/);
    const { api } = onefold;
    await api.call('customs_create', { body: { data: filesDocument } });
    const { account } = (await api.call('accounts_create', { body: {} })).result;
    const { id, credential } = await createGroup(api, account.id);
    const { result } = await api.call('integrations_create', {
      path: { accountId: account.id },
      body: {
        provider_config: {
          type: 'custom_files',
          url: address,
          credential: { type: 'token', secret: 'storage-secret-key' },
        } as never,
        bridge_selector: { type: 'id', value: id },
      },
    });
    const headers = { authorization: `Bearer ${result.token.access.secret}` };
    const facts = { address, credential, port };
    const files = new BridgedFiles(onefold, storage, forwarder, facts, headers, gateway);
    await gateway.says(/"message":"ready"/);
    await files.isConnected();
    await files.warm();
    return files;
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${this.facts.port}/v1/storage/files/${path}`;
  }

  /** Returns the requests of the storage since the last call, once all of them have ended. */
  async seen(): Promise<Seen[]> {
    for (;;) {
      const kept = await this.ask('/_seen?keep');
      if (kept.every(({ end }) => end !== 'open')) return await this.ask('/_seen');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Sends small files both ways: memory of a warm process is not the cost of a file. */
  async warm(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      await download(this.urlOf(`plain/${mebibyte}`), this.headers);
      await upload(this.urlOf('plain/warm'), this.headers, keystream(mebibyte));
    }
    await this.seen();
  }

  async kill(victim: Between): Promise<void> {
    const { signal } = await this.between[victim].stop('SIGKILL');
    if (signal !== 'SIGKILL') throw new Error(`the ${victim} had ended before it was killed`);
  }

  /** Starts another process in place of one that was killed. */
  async replace(victim: Between): Promise<void> {
    const { between, onefold, facts } = this;
    if (victim === 'agent') between.agent = this.startAgent();
    else if (victim === 'connector')
      between.connector = onefold.processes['connector'] = startApp('connector', [], onefold.env);
    else if (victim === 'gateway of the caller')
      between[victim] = startGateway(onefold, facts.port);
    else between[victim] = onefold.processes['gateway'] = startApp('gateway', [], onefold.env);
    if (victim !== 'agent') await between[victim].says(/"message":"ready"/);
    await this.isConnected();
  }

  /** Starts what a test has left killed, and forgets what the storage has seen. */
  async restore(): Promise<void> {
    for (const [name, { child }] of Object.entries(this.between))
      if (child.exitCode !== null || child.signalCode !== null) await this.replace(name as Between);
    await this.seen();
  }

  async stop(): Promise<void> {
    await this.between.agent.stop('SIGKILL');
    this.forwarder.stop();
    await this.onefold.stop();
    await this.storage.stop();
  }

  private startAgent(): Running {
    const { address, credential } = this.facts;
    const settings = { folder: this.folder, allow: allowed(address) };
    return startAgent(this.forwarder.url, credential, settings);
  }

  /** Resolves when the last of the agent's messages about its connection is that it is connected. */
  private async isConnected(): Promise<void> {
    await this.between.agent.says(/"message":"connected"(?![^]*"message":"(?:dis|not )connected")/);
  }

  private async ask(path: string): Promise<Seen[]> {
    return (await (await fetch(`${this.facts.address}${path}`)).json()) as Seen[];
  }
}

/** Starts a gateway at a port, which is stopped with the other processes. */
function startGateway(onefold: Onefold, port: number): Running {
  const started = startApp('gateway', [], { ...onefold.env, PORT: String(port) });
  onefold.processes['second gateway'] = started;
  return started;
}
