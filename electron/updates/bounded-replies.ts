/** Replies to requests that code of others makes, which would take whatever comes for as long as it comes. */
import { type Readable, Writable } from 'node:stream';

type Request = Writable & { abort(): void };

/** As electron-updater makes its requests, of Electron's own kind. */
export type Requester = {
  createRequest(options: object, answer: (reply: Readable) => void): Request;
};

/** What one question may cost, with every place that it is sent on to. */
export type Bounds = {
  /** Of each reply. */
  mostBytes: number;
  requestsLeft: number;
  /** As `performance.now()` counts. */
  endsAt: number;
};

/** A server that says nothing for so long is given up. */
const longestSilenceMs = 60_000;

export class ReplyTooLarge extends Error {}

/** In the place of a request that can't be made, such as one that a reply sends on to a file. */
function refusedRequest(error: unknown): Request {
  const refused = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Not before whoever asks can hear of it.
  process.nextTick(() => refused.destroy(error as Error));
  return Object.assign(refused, { abort() {} });
}

/**
 * From now on every reply ends with an error where it is too large, takes too long or leads nowhere.
 *
 * @param boundsNow asked at each request
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
      // With its reason first: an end that comes by itself is no error. What was asked is a stream that has ended long
      // ago, and says nothing any more when it is destroyed.
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
      // Who asked may have seen enough, and listen no more: an error that nobody hears would end the app.
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
        // What the server says can't be followed, such as an address that is none.
        reply = undefined;
        end(error as Error);
      }
    });
    // Also where whoever asked goes on elsewhere, as after a redirect.
    for (const over of ['abort', 'error']) request.on(over, stopWaiting);
    bounds.requestsLeft -= 1;
    // Not before whoever asks can hear of it.
    if (bounds.requestsLeft < 0) process.nextTick(() => end(new Error('Too many redirects')));
    return request;
  };
}
