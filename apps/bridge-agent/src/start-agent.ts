import { rootCertificates } from 'node:tls';
import type { ClientOptions } from 'ws';
import { JsonLog, StartError, type Stop } from '#observe/runtime';
import { BridgeAgent } from './agent.js';
import { type AgentFile, readAgentFile, readText } from './agent-file.js';
import { openAgentKey } from './agent-key.js';
import { GroupCredential } from './group-credential.js';
import { RequestPerformer } from './perform-request.js';
import { proxyOf } from './proxy.js';
import { RequestLog } from './request-log.js';

/** Starts an agent. @param args the file of its configuration @throws StartError */
export async function startAgent(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  log = new JsonLog({ service: 'bridge-agent' }),
): Promise<Stop> {
  const [path, ...rest] = args;
  if (path === undefined || rest.length > 0)
    throw new StartError('Give the file of the configuration, such as bridge-agent.yaml.');
  const file = await readAgentFile(path);
  const requests = new RequestLog(log);
  const authority = file.ca_file === undefined ? undefined : readText(file.ca_file);
  const performer = new RequestPerformer(
    file,
    authority === undefined ? undefined : [...rootCertificates, authority],
    requests,
    environment,
  );
  const agent = new BridgeAgent({
    server: file.server,
    performer,
    requests,
    log,
    credential: new GroupCredential(file, environment, log),
    key: openAgentKey(file.key_file),
    socketOptions: await socketOptionsOf(file, environment),
  });
  log.log({ message: 'allowed', allow: performer.allowed, secrets: performer.vault });
  void performer.start();
  const running = agent.run();
  return async () => {
    await agent.stop();
    await running;
  };
}

async function socketOptionsOf(
  { server, server_ca_file: path }: AgentFile,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ClientOptions> {
  const proxy = proxyOf(new URL(server), environment);
  return {
    ...(path === undefined ? {} : { ca: [...rootCertificates, readText(path)] }),
    ...(proxy === undefined
      ? {}
      : { agent: new (await import('https-proxy-agent')).HttpsProxyAgent(proxy) }),
  };
}
