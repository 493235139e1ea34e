import { keyOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { makeDevice } from './devices.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Device, NetworkFlow } from './types.js';

/** Ordinary flows; those of the attack and of the port scan come on top. */
const routineFlows = 240;

/** Flows of the control connection: one every ten minutes. */
const beacons = 8;
const beaconEveryMs = 600_000;

const destinations = ['192.0.2.140', '192.0.2.151', '192.0.2.162', '198.51.100.10'] as const;

type Shape = Pick<
  NetworkFlow,
  | 'direction'
  | 'source_ip'
  | 'source_port'
  | 'destination_ip'
  | 'destination_port'
  | 'protocol'
  | 'bytes_out'
  | 'bytes_in'
  | 'action'
  | 'incident'
> & { device: Device; started: number; lastsMs: number };

function toFlow(shape: Shape, number: number): NetworkFlow {
  const { device, started, lastsMs, ...rest } = shape;
  // A packet carries about a kilobyte.
  const packets = (bytes: number) => (bytes === 0 ? 0 : Math.max(1, Math.ceil(bytes / 1_000)));
  return {
    key: keyOf('flw', number),
    device: device.key,
    ...rest,
    packets_out: packets(rest.bytes_out),
    packets_in: packets(rest.bytes_in),
    sensor:
      device.cloud === null
        ? `fw-${device.site === 'LIS' ? 'lis' : 'utr'}-01`
        : device.cloud.vpc_id,
    interface_id: device.cloud?.interface_id ?? 'ethernet1/1',
    ...stamp('started', started),
    ...stamp('ended', started + lastsMs),
  };
}

function routineShape(context: WorldContext, index: number): Shape {
  const random = new Random(context.seed, 'flow', index);
  const isServer = random.next() < 0.4;
  const device = makeDevice(context, isServer ? random.int(41, 52) : random.int(1, 40));
  const isInbound = isServer && random.next() < 0.6;
  const isRefused = isInbound && random.next() < 0.3;
  const client = `198.51.100.${random.int(100, 250)}`;
  const server = random.pick(destinations);
  const isDns = !isInbound && random.next() < 0.2;
  return {
    device,
    direction: isInbound ? 'inbound' : isDns ? 'internal' : 'outbound',
    source_ip: isInbound ? client : device.ip,
    source_port: random.int(49_152, 65_535),
    destination_ip: isInbound ? device.ip : isDns ? '10.20.0.43' : server,
    destination_port: isInbound ? random.pick([22, 443, 443, 3389]) : isDns ? 53 : 443,
    protocol: isDns ? 17 : 6,
    bytes_out: isRefused ? 60 : isDns ? random.int(60, 120) : random.int(900, 90_000),
    bytes_in: isRefused ? 0 : isDns ? random.int(90, 400) : random.int(2_000, 900_000),
    action: isRefused ? 'reject' : 'accept',
    incident: null,
    started: context.at(
      -random.int(1, 14),
      `${random.int(0, 23)}:${random.int(10, 59)}:${random.int(10, 59)}`,
    ),
    lastsMs: isDns ? random.int(4, 40) : random.int(300, 90_000),
  };
}

function attackShapes(context: WorldContext): Shape[] {
  const laptop = makeDevice(context, story.victim);
  const start = context.at(story.day, story.beaconStarted);
  const control = Array.from({ length: beacons }, (_, index): Shape => ({
    device: laptop,
    direction: 'outbound',
    source_ip: laptop.ip,
    source_port: 50_200 + index,
    destination_ip: story.controlIp,
    destination_port: 443,
    protocol: 6,
    bytes_out: 1_840 + index * 12,
    bytes_in: 3_120,
    action: 'accept',
    incident: story.incident,
    started: start + index * beaconEveryMs,
    lastsMs: 2_400,
  }));
  const metrics = makeDevice(context, 52);
  const scan = [22, 80, 443, 3306, 5432, 8080].map((port, index): Shape => ({
    device: metrics,
    direction: 'internal',
    source_ip: metrics.ip,
    source_port: 40_000 + index,
    destination_ip: makeDevice(context, 50).ip,
    destination_port: port,
    protocol: 6,
    bytes_out: 60,
    bytes_in: port === 5432 ? 60 : 0,
    action: port === 5432 ? 'accept' : 'reject',
    incident: 'inc-0007',
    started: context.at(-2, '13:18') + index * 900,
    lastsMs: 40,
  }));
  return [...control, ...scan];
}

/** Flows by time. Those of the attack have the first keys, so that they stay the same with another start or seed. */
export function* makeNetworkFlows(context: WorldContext): Generator<NetworkFlow> {
  const routine = Array.from({ length: routineFlows }, (_, index) => routineShape(context, index));
  yield* [...attackShapes(context), ...routine]
    .map((shape, index) => toFlow(shape, index + 1))
    .sort((one, other) => one.started_ms - other.started_ms);
}
