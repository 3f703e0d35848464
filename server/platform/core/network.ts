import ipaddr from 'ipaddr.js';

/**
 * Returns the network to count an address for: an IPv4 address itself, an IPv6 address's /64, the smallest network of a
 * customer.
 *
 * @param address from a socket or a proxy; invalid addresses are returned as they are
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`;
}
