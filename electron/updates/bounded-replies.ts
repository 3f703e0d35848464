/** Limits replies to third-party requests, which have no limits of their own. */
import { type Readable, Writable } from 'node:stream';

type Request = Writable & { abort(): void };

/** As electron-updater sends its requests, with Electron's own client. */
export type Requester = {
  createRequest(options: object, answer: (reply: Readable) => void): Request;
};

/** Limit for a request with all of its redirects. */
export type Bounds = {
  /** Limit per reply. */
  mostBytes: number;
  requestsLeft: number;
  /** As `performance.now()`. */
  endsAt: number;
};

/** Idle timeout. */
const longestSilenceMs = 60_000;

export class ReplyTooLarge extends Error {}

/** Replaces a request that can't be sent, such as a redirect to a file. */
function refusedRequest(error: unknown): Request {
  const refused = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Later, so that the caller can register listeners.
  process.nextTick(() => refused.destroy(error as Error));
  return Object.assign(refused, { abort() {} });
}

/**
 * Makes every further reply fail if it is too large, too slow or an invalid redirect.
 *
 * @param boundsNow called for each request
 */
export function boundReplies(requester: Requester, boundsNow: () => Bounds): void {
  const { createRequest } = requester;
  requester.createRequest = (options, answer) => {
    const bounds = boundsNow();
    let reply: Readable | undefined;
    const stopWaiting = () => {
      clearTimeout(silence);
      clearTimeout(limit);
    };
    const end = (error: Error) => {
      stopWaiting();
      // Emits the error first, because the end alone isn't one. The request stream has ended and emits nothing when
      // destroyed.
      if (reply) reply.destroy(error);
      else request.emit('error', error);
      request.abort();
    };
    const silence = setTimeout(() => end(new Error('The server stopped sending')), longestSilenceMs);
    const limit = setTimeout(
      () => end(new Error('The server took too long')),
      bounds.endsAt - performance.now(),
    );
    const make = (answered: (response: Readable) => void) => {
      try {
        return createRequest.call(requester, options, answered);
      } catch (error) {
        return refusedRequest(error);
      }
    };
    const request = make((response) => {
      reply = response;
      let received = 0;
      // The caller may have removed its listeners: an unhandled error event would end the app.
      response.on('error', () => {});
      response.on('data', (chunk: Buffer | string) => {
        silence.refresh();
        received += Buffer.byteLength(chunk);
        if (received > bounds.mostBytes)
          end(new ReplyTooLarge(`The response exceeds ${bounds.mostBytes} bytes`));
      });
      response.on('close', stopWaiting);
      try {
        answer(response);
      } catch (error) {
        // The redirect can't be followed, such as an invalid address.
        reply = undefined;
        end(error as Error);
      }
    });
    // Also if the caller continues elsewhere, as after a redirect.
    for (const over of ['abort', 'error']) request.on(over, stopWaiting);
    bounds.requestsLeft -= 1;
    // Later, so that the caller can register listeners.
    if (bounds.requestsLeft < 0) process.nextTick(() => end(new Error('Too many redirects')));
    return request;
  };
}
