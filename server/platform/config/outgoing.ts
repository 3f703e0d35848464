/** Networks that the server may send requests to, such as to users' push gateways. */
import ipaddr from 'ipaddr.js';
import { Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

/** A network address and its prefix length. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

export const outgoing = section(
  {
    ip_range_whitelist: Type.Array(Type.String(), {
      default: [],
      description:
        'Private networks that push gateways may be in, such as `192.168.1.0/24`; public ones are always allowed',
    }),
  },
  (settings) => ({
    /** Private networks that are allowed. */
    callableNetworks: networks('ip_range_whitelist', settings.ip_range_whitelist),
  }),
);

/** @throws ConfigurationError that names the setting */
export const networks = (setting: string, written: readonly string[]): Network[] =>
  written.map((text) => asNetwork(setting, text));

function asNetwork(setting: string, text: string): Network {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    throw new ConfigurationError(
      setting,
      `'${text}' is not a network`,
      'use CIDR notation, such as 192.168.1.0/24',
    );
  }
}
