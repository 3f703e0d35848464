import ipaddr from 'ipaddr.js';

/**
 * Which network an address counts as: an IPv4 address is one by itself, however it is written. Of IPv6 whoever
 * rents a server has at least a /64, so that is one.
 *
 * @param address as a socket or a proxy gives it; a text that is no address counts as itself
 */
export function networkOf(address: string): string {
  // A request asks several times, and the next one often comes from where this one does.
  if (address !== last.address) last = { address, network: findNetwork(address) };
  return last.network;
}

let last = { address: '', network: '' };

function findNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`;
}
