import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import {
  type AgentLink,
  type AgentStats,
  BridgeFailure,
  type BridgeResponse,
  closeCodes,
  readStats,
} from '#bridge';
import {
  type BridgeCall,
  type BridgeReply,
  Bus,
  type Bytes,
  type Cancellation,
  type Offer,
} from '#bus';

const log = new Logger('bridges');

const reportIntervalMs = 5_000;
/** Time for the agents of a gateway that stops to connect to another one. */
const maxMoveMs = 8_000;
/** Time for the requests that are under way then. */
const maxFinishMs = 15_000;
/** Responses up to this size cross the bus in one message. */
const maxWholeBytes = 262_144;
/** Bytes of an agent's responses that wait for their end to be sent whole; of more they are sent in pieces. */
const maxWholeBytesOfAgent = 8_388_608;
/** How often it is looked whether an agent that has moved has answered its requests. */
const releaseIntervalMs = 100;
/** Agents that a call is offered to. */
const maxAttempts = 3;

/** An agent that was admitted. */
export interface ConnectedAgent {
  organizationId: string;
  bridgeId: string;
  /** The fingerprint of its key. */
  key: string;
  instance: string;
  /** Identifies the connection. */
  session: string;
  link: AgentLink;
}

interface Member extends ConnectedAgent {
  stats: AgentStats;
  /** True once the agent has connected to another gateway. */
  hasMoved: boolean;
  /** Bytes of responses that are read to their end. */
  wholeBytes: number;
}

interface Group {
  members: Set<Member>;
  /** Its service on the bus; undefined if it is not served, because its agents are leaving. */
  offer: Offer | undefined;
}

/** The agents that are connected to this gateway. Their groups are served on the bus as long as there is one. */
@Injectable()
export class BridgeAgents implements OnModuleDestroy {
  private readonly groups = new Map<string, Group>();
  private readonly timer: NodeJS.Timeout;
  private readonly stopListening: () => void;

  constructor(private readonly bus: Bus) {
    this.timer = setInterval(() => void this.report(this.members()), reportIntervalMs).unref();
    this.stopListening = bus.subscribe('bridge.changed', ({ organizationId, bridgeId }) => {
      if (bridgeId !== undefined) this.disconnect(bridgeId);
      // Some of its groups were deleted: the management service says which agents it does not know any more.
      else void this.report(this.members().filter((one) => one.organizationId === organizationId));
    });
  }

  /** Requests that are not over, and bytes that wait for their readers, at all agents. */
  get held(): { requests: number; unreadBytes: number } {
    const links = this.members().map(({ link }) => link);
    return {
      requests: links.reduce((sum, { requests }) => sum + requests, 0),
      unreadBytes: links.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0),
    };
  }

  add(agent: ConnectedAgent): void {
    const { bridgeId, key, instance, link } = agent;
    const member: Member = {
      ...agent,
      stats: readStats(undefined),
      hasMoved: false,
      wholeBytes: 0,
    };
    const group = this.serve(bridgeId);
    group.members.add(member);
    share(group);
    link.onMessage(({ type, stats }) => {
      if (type === 'stats') member.stats = readStats(stats);
      if (type === 'moved' || type === 'leaving') this.move(member);
    });
    log.log({ message: 'bridge agent connected', bridge_id: bridgeId, agent: key, instance });
    void this.report([member]);
    void link.ended.then((reason) => {
      this.remove(member);
      const facts = { bridge_id: bridgeId, agent: key, instance };
      log.log({ message: 'bridge agent disconnected', ...facts, reason });
      void this.report([member]);
    });
  }

  /** Lets the agents connect to other gateways, and ends their connections when their requests are answered. */
  async drain(): Promise<void> {
    const members = this.members();
    for (const { link } of members) link.tell({ type: 'leaving' });
    await within(maxMoveMs, () => members.every(({ hasMoved, link }) => hasMoved || !link.isOpen));
    for (const group of this.groups.values()) stopServing(group);
    await within(maxFinishMs, () => members.every(({ link }) => link.requests === 0));
    for (const { link } of members) link.close(closeCodes.leaving, 'the gateway stops');
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.stopListening();
    for (const { link } of this.members()) link.close(closeCodes.leaving, 'the gateway stops');
  }

  private members(): Member[] {
    return [...this.groups.values()].flatMap(({ members }) => [...members]);
  }

  private serve(bridgeId: string): Group {
    const group = this.groups.get(bridgeId) ?? { members: new Set(), offer: undefined };
    group.offer ??= this.bus.serveBridge(bridgeId, (call, cancellation) =>
      this.call(group, call, cancellation),
    );
    this.groups.set(bridgeId, group);
    return group;
  }

  private remove(member: Member): void {
    const group = this.groups.get(member.bridgeId);
    if (group?.members.delete(member) !== true) return;
    share(group);
    if (group.members.size === 0) this.groups.delete(member.bridgeId);
  }

  /** The agent takes no more requests here, and leaves when those that it has are answered. */
  private move(member: Member): void {
    if (member.hasMoved) return;
    member.hasMoved = true;
    const group = this.groups.get(member.bridgeId);
    if (group !== undefined) share(group);
    void this.release(member.link);
  }

  private async release(link: AgentLink): Promise<void> {
    while (link.isOpen && link.requests > 0) await sleep(releaseIntervalMs);
    link.close(closeCodes.leaving, 'the agent has moved');
  }

  private disconnect(bridgeId: string): void {
    for (const { link } of this.groups.get(bridgeId)?.members ?? [])
      link.close(closeCodes.refused, 'the bridge group was deleted, or its credential was rotated');
  }

  /** Sends a call to the least busy agent, and to another one if that did not take it. */
  private async call(
    { members }: Group,
    { head, body }: BridgeCall,
    cancellation: Cancellation,
  ): Promise<BridgeReply> {
    const tried = new Set<Member>();
    for (;;) {
      const member = leastBusy(members, tried);
      if (member === undefined) throw none(members, tried);
      tried.add(member);
      const request = { ...head, hasBody: body !== undefined };
      try {
        const response = await member.link.send(request, body, cancellation.signal);
        return { head: response, body: await wholeIfSmall(response, member) };
      } catch (error) {
        if (!isUntaken(error) || tried.size === maxAttempts) throw error;
      }
    }
  }

  /** Tells the management service of agents, and disconnects those that it does not know any more. */
  private async report(members: readonly Member[]): Promise<void> {
    if (members.length === 0) return;
    const agents = members.map(({ link, stats, ...member }) => ({
      ...pick(member),
      stats,
      isConnected: link.isOpen,
      responseMs: link.responseMs ?? null,
    }));
    try {
      const { invalid } = await this.bus.call('bridges.report', { agents });
      for (const { key, link } of members)
        if (invalid.includes(key))
          link.close(closeCodes.refused, 'the agent is not admitted any more');
    } catch (error) {
      log.debug({ message: 'the state of bridge agents was not reported', error: String(error) });
    }
  }
}

/** A gateway gets calls of a group by the number of agents that take them there, and none without such an agent. */
function share(group: Group): void {
  const takers = [...group.members].filter(({ hasMoved }) => !hasMoved).length;
  if (takers === 0) stopServing(group);
  else group.offer?.setShare(takers);
}

function stopServing(group: Group): void {
  group.offer?.stop();
  group.offer = undefined;
}

function pick({ organizationId, bridgeId, key, instance, session }: Omit<ConnectedAgent, 'link'>) {
  return { organizationId, bridgeId, key, instance, session };
}

function leastBusy(members: ReadonlySet<Member>, except: ReadonlySet<Member>): Member | undefined {
  let best: Member | undefined;
  for (const one of members) {
    if (except.has(one) || one.hasMoved || !one.link.isFree) continue;
    if (best === undefined || one.link.requests < best.link.requests) best = one;
  }
  return best;
}

function none(members: ReadonlySet<Member>, tried: ReadonlySet<Member>): BridgeFailure {
  // The call was under way to this gateway when its agents moved: it is sent again, to the gateway that has them now.
  if (tried.size > 0 || [...members].every(({ hasMoved }) => hasMoved))
    return new BridgeFailure('gone', 'no agent of the bridge group took the request', false);
  return new BridgeFailure('busy', 'the agents of the bridge group take no more requests', false);
}

function isUntaken(error: unknown): boolean {
  const { reason, isSent } = error as Partial<BridgeFailure>;
  return error instanceof BridgeFailure && !isSent && (reason === 'busy' || reason === 'gone');
}

/** Reads a body to its end if it is small. */
async function wholeIfSmall(
  { headers, body }: BridgeResponse,
  member: Pick<Member, 'wholeBytes'>,
): Promise<Bytes> {
  if (Number(headers['content-length'] ?? 0) > maxWholeBytes) return body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const source = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await source.next();
      if (result.done === true) return Buffer.concat(chunks);
      chunks.push(result.value);
      bytes += result.value.length;
      member.wholeBytes += result.value.length;
      if (bytes > maxWholeBytes || member.wholeBytes > maxWholeBytesOfAgent)
        return rest(Buffer.concat(chunks), source);
    }
  } finally {
    member.wholeBytes -= bytes;
  }
}

async function* rest(
  first: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (;;) {
      const result = await source.next();
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    await source.return?.();
  }
}

async function within(milliseconds: number, isDone: () => boolean): Promise<void> {
  const until = performance.now() + milliseconds;
  while (!isDone() && performance.now() < until) await sleep(20);
}
