/** Requests that this server makes to others by itself. */
import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Network } from '../config/outgoing.ts';

export type OutgoingRequest = {
  method: 'GET' | 'PUT' | 'POST';
  headers?: Record<string, string>;
  /** JSON. */
  body?: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Private networks where it may go; anywhere where it is left out, for what an administrator has configured. */
  onlyPublicOr?: readonly Network[];
};

export type OutgoingReply = { status: number; body: string };

/** The longest reply that is read, in bytes. */
const longestReply = 256 * 1024;

/** Thrown where a request would go to an address that it may not go to. */
class ForbiddenAddress extends Error {}

/**
 * Sends a request and reads its whole reply; follows no redirection. Where it may go to public addresses only, the
 * address that was looked at is the one that is called, whatever the name means a moment later.
 *
 * @throws where there is no reply in time, or one that is too long, or the address is none that may be called
 */
export function sendOutgoing(address: URL, options: OutgoingRequest): Promise<OutgoingReply> {
  const { method, headers, body, timeoutMs, onlyPublicOr } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (onlyPublicOr && ipaddr.isValid(host)) requireCallable(host, onlyPublicOr);
  const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      address,
      {
        method,
        signal,
        agent: false,
        ...(onlyPublicOr && { lookup: lookupCallable(onlyPublicOr) }),
        headers: {
          ...headers,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) =>
        readAll(response).then((text) => {
          resolve({ status: response.statusCode ?? 0, body: text });
        }, reject),
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    length += (piece as Buffer).length;
    if (length > longestReply) {
      response.destroy();
      throw new Error('the reply is too long');
    }
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** @throws ForbiddenAddress */
function requireCallable(address: string, allowed: readonly Network[]): void {
  const parsed = ipaddr.process(address);
  const isAllowed = allowed.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits] as never),
  );
  if (!isAllowed && parsed.range() !== 'unicast') {
    throw new ForbiddenAddress(`${address} is not a public address: see ip_range_whitelist`);
  }
}

/** Resolves a name, and gives only addresses that may be called. */
const lookupCallable =
  (allowed: readonly Network[]): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      try {
        for (const { address } of addresses) requireCallable(address, allowed);
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, '', 0);
      }
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
