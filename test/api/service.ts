import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { randomBytes } from 'node:crypto';
import {
  BodyBudget,
  GatewayAdapter,
  GatewayModule,
  type GatewaySettings,
  serveHttp,
} from '#apps/gateway';
import { openConnector } from '#apps/connector';
import { openManagement } from '#apps/management';
import { BusModule, BusServer, InProcessTransport, MessageBus } from '#bus';
import {
  type AdministratorToken,
  createAdministratorToken,
  createOrganization,
} from '#management/tokens';
import type { Resolve } from '#egress';
import { Health, Metrics, ObserveModule } from '#observe';
import { servedDomains } from '#contract';
import { keyOf, Keyring, Sealer } from '#secrets';
import { type Store } from '#store';
import { createMigratedDatabase } from '#test/harness';
import { holdAgainstContract } from './hold-against-contract.js';

/** Response of a call. */
export interface Answer<Result = Record<string, never>> {
  status: number;
  message: string;
  type: string;
  remediation: string;
  /** Messages of all faults of a refused request. */
  faults: string[];
  /** Messages of the informational problems beside a result. */
  notes: string[];
  // Specs read responses of every shape; expect() reports missing fields.
  result: Result;
}

/** Gateway and management over a separate database, in this process. */
export interface Service {
  administrator: AdministratorToken;
  bus: MessageBus;
  sealer: Sealer;
  store: Store;
  /** Connection as the owner of the tables. */
  databaseUrl: string;
  /** Address of the API. */
  url: string;
  /** Bytes of request bodies that the gateway holds. */
  heldBodyBytes(): number;
  /** Calls as the administrator, unless another token is given; `''` is none. */
  call<Result = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<Answer<Result>>;
  /** Creates another organization with its administrator. */
  organization(name: string): Promise<AdministratorToken>;
  /** Creates another token of the first organization's administrator. */
  administratorToken(ttl?: string): Promise<AdministratorToken>;
  stop(): Promise<void>;
}

interface Options {
  /** The connector has the key of this domain alone; management has the key-encryption key. */
  connectorDomain?: string;
  /** Whether there are credentials that are roles of AWS. */
  awsRoles?: boolean;
  mocks?: boolean;
  /** A further name of the header with the signature of what HTTP sinks are sent. */
  signatureHeader?: string;
  /** The addresses of host names, for management; all others resolve to a public address. */
  names?: Record<string, string>;
}

/** Resolves host names without a name server. */
function resolveBy(names: Record<string, string>): Resolve {
  return (host, done) => done(null, [{ address: names[host] ?? '93.184.215.14', family: 4 }]);
}

/**
 * Starts the service.
 * @param databasePool number of connections of the management service
 * @param publicUrl public address, if a proxy is in front
 * @param proxyHops number of trusted proxies, which set `X-Forwarded-For`
 * @param settings further settings of the gateway
 */
export async function startService(
  databasePool = 5,
  publicUrl?: string,
  proxyHops = 0,
  {
    awsRoles = false,
    mocks = true,
    names,
    connectorDomain,
    signatureHeader,
    ...settings
  }: Partial<GatewaySettings> & Options = {},
): Promise<Service> {
  const database = await createMigratedDatabase();
  const transport = new InProcessTransport();
  const bus = new MessageBus(transport);
  const keys = new Keyring([keyOf(randomBytes(32))], {
    domains: servedDomains,
    domainKeys: connectorDomain !== undefined,
  });
  const sealer = new Sealer(keys);
  // Integrations are verified at their provider.
  const connector = await openConnector({
    databaseUrl: database.url,
    databasePool: 2,
    ...(connectorDomain === undefined
      ? { sealer }
      : {
          sealer: new Sealer(new Keyring(keys.forDomain(connectorDomain).all)),
          busKeys: keys,
          domains: [connectorDomain],
        }),
    bus,
    health: new Health(),
    metrics: new Metrics('spec'),
    egressAllow: ['127.0.0.1'],
    ...(signatureHeader === undefined ? {} : { signatureHeader }),
  });
  const management = await openManagement({
    databaseUrl: database.url,
    databasePool,
    sealer,
    bus,
    health: new Health(),
    metrics: new Metrics('spec'),
    publicUrl: () => publicUrl ?? http.url,
    egressAllow: ['127.0.0.1'],
    awsRoles,
    mocks,
    ...(names && { resolve: resolveBy(names) }),
  });
  @Module({
    imports: [
      BusModule.over(transport),
      ObserveModule.with({ health: new Health(), metrics: new Metrics('spec') }),
      management.module,
      connector.module,
      GatewayModule.with({
        host: '127.0.0.1',
        port: 0,
        corsOrigins: ['https://console.example.com'],
        maxBodyBytes: 37_748_736,
        maxBodiesBytes: 134_217_728,
        maxUploadBytes: 1_048_576,
        proxyHops,
        referencePage: true,
        console: false,
        connect: true,
        providerImagesFolder: '',
        pathAliases: [],
        ...settings,
      }),
    ],
  })
  class Everything {}
  const app = await NestFactory.create(Everything, new GatewayAdapter(), {
    logger: false,
    bodyParser: false,
  });
  app.connectMicroservice({
    strategy: new BusServer(transport, undefined, {
      around: management.around,
      answered: connector.answered,
      domains: connector.domains,
    }),
  });
  await app.startAllMicroservices();
  const http = await serveHttp(app);
  const { context } = management;
  const organization = (name: string) =>
    createOrganization(context, { name, fullname: name, administrator: 'admin' });
  const administrator = await organization('acme');
  return {
    administrator,
    bus,
    sealer,
    store: context.store,
    databaseUrl: database.url,
    url: http.url,
    heldBodyBytes: () => app.get(BodyBudget).heldBytes,
    organization,
    administratorToken: (ttl) =>
      createAdministratorToken(context, administrator.organizationId, ttl),
    async call<Result>(
      method: string,
      path: string,
      body?: unknown,
      token = administrator.access,
    ): Promise<Answer<Result>> {
      const response = await fetch(`${http.url}${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      holdAgainstContract(method, path, response, text);
      const json = (text === '' ? {} : JSON.parse(text)) as Partial<Answer<Result>> & {
        messages?: { problems?: { message: string }[] };
        cause?: { message: string }[];
      };
      return {
        status: response.status,
        message: json.message ?? '',
        type: json.type ?? '',
        faults: (json.cause ?? []).map(({ message }) => message),
        remediation: json.remediation ?? '',
        notes: json.messages?.problems?.map(({ message }) => message) ?? [],
        result: json.result ?? ({} as Result),
      };
    },
    async stop() {
      await http.drain();
      await app.close();
      await management.close();
      await connector.close();
      await database.drop();
    },
  };
}
