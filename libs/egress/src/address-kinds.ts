import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Addresses at which clouds serve credentials to any process inside. They stay closed even when an allowed range contains them.
 * Sources: the vendors' own pages on instance metadata. 169.254.169.254 serves most clouds, 169.254.170.2 and .23 container
 * credentials, 168.63.129.16 and 192.0.0.192 look public, 100.100.100.200 is shared address space.
 */
const metadataAddresses = new Set(
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
  ].map((address) => ipaddr.parse(address).toString()),
);

const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** IPv4 inside IPv6: the prefix, and the byte at which the IPv4 address starts. RFC 4291, 6052, 8215, 3056. */
const embeddings: [string, number][] = [
  ['::ffff:0:0/96', 12],
  ['::/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
];

/** Returns the address that a connection really reaches: the IPv4 address if one is embedded in an IPv6 address. */
export function unwrapEmbeddedIpv4(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const six = address as ipaddr.IPv6;
  for (const [range, offset] of embeddings) {
    const [start, bits] = ipaddr.parseCIDR(range) as [ipaddr.IPv6, number];
    const isPlain = range === '::/96' && ['::', '::1'].includes(six.toString());
    if (!isPlain && six.match(start, bits))
      return new ipaddr.IPv4(six.toByteArray().slice(offset, offset + 4));
  }
  return six;
}

/** True for an address at which a cloud serves credentials. */
export function isMetadataAddress(address: Address): boolean {
  return metadataAddresses.has(address.toString());
}

/** Returns the reason why an address is not public (`private`, `loopback`, `linkLocal`, ...), or undefined when it is public. */
export function nonPublicRange(address: Address): string | undefined {
  const range = address.range();
  if (range !== 'unicast') return range;
  if (address.kind() === 'ipv6' && !(address as ipaddr.IPv6).match(...globalUnicast))
    return 'reserved';
  return undefined;
}
