import ipaddr from 'ipaddr.js';

const maxAddressLength = 64;

/**
 * Returns the block that counts as one address in budgets: an IPv4 address itself, or the first 64 bits of an IPv6 address, because a
 * client usually has the whole block.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address))
    return address.slice(0, maxAddressLength);
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
