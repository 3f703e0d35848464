/** HTTP client for requests to other servers. */
import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
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
  /** Limits the request to public addresses and these private networks. Unlimited if undefined, for configured URLs. */
  onlyPublicOr?: readonly Network[];
  /** Forbidden networks, public or not. */
  neverTo?: readonly Network[];
};

export type OutgoingReply = { status: number; body: string };
type OutgoingContent = { status: number; headers: IncomingHttpHeaders; content: Buffer };

/** In bytes. */
const longestText = 256 * 1024;

export class ReplyTooLong extends Error {}

export class ForbiddenAddress extends Error {}

/**
 * Sends a request and reads the whole reply. Doesn't follow redirects. Connects to the address that was checked, so that a
 * DNS change can't lead elsewhere.
 *
 * @throws ReplyTooLong, ForbiddenAddress; other errors if there is no reply in time
 */
export async function sendOutgoing(address: URL, options: OutgoingRequest): Promise<OutgoingReply> {
  const { status, content } = await fetchOutgoing(address, options, longestText);
  return { status, body: content.toString('utf8') };
}

/** As `sendOutgoing`, for any content. @param longestReply in bytes */
export function fetchOutgoing(
  address: URL,
  options: OutgoingRequest,
  longestReply: number,
): Promise<OutgoingContent> {
  const { method, headers, body, timeoutMs, onlyPublicOr, neverTo = [] } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (onlyPublicOr && ipaddr.isValid(host)) requireCallable(host, onlyPublicOr, neverTo);
  const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      address,
      {
        method,
        signal,
        agent: false,
        ...(onlyPublicOr && { lookup: lookupCallable(onlyPublicOr, neverTo) }),
        headers: {
          ...headers,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) =>
        readAll(response, longestReply).then((content) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, content });
        }, reject),
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function readAll(response: IncomingMessage, longestReply: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += (chunk as Buffer).length;
    if (length > longestReply) {
      response.destroy();
      throw new ReplyTooLong('response too large');
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** @throws ForbiddenAddress */
function requireCallable(address: string, allowed: readonly Network[], never: readonly Network[]): void {
  const parsed = ipaddr.process(address);
  const isIn = ([network, bits]: Network) =>
    network.kind() === parsed.kind() && parsed.match([network, bits] as never);
  if (allowed.some(isIn)) return;
  if (parsed.range() !== 'unicast' || never.some(isIn)) {
    throw new ForbiddenAddress(`${address} is not an allowed address`);
  }
}

/** Resolves a name. Fails if any of its addresses is forbidden. */
const lookupCallable =
  (allowed: readonly Network[], never: readonly Network[]): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      try {
        for (const { address } of addresses) requireCallable(address, allowed, never);
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, '', 0);
      }
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
