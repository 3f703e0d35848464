/** Replies to requests that code of others makes, which would take whatever comes for as long as it comes. */
import type { Readable, Writable } from 'node:stream';

/** As electron-updater makes its requests, of Electron's own kind. */
export type Requester = {
  createRequest(options: object, answer: (reply: Readable) => void): Writable & { abort(): void };
};

/** A server that says nothing for so long is given up. */
const longestSilenceMs = 60_000;

export class ReplyTooLarge extends Error {}

/**
 * From now on every reply ends with an error where it is too large or doesn't go on.
 *
 * @param mostBytes of a reply, asked when it begins
 */
export function boundReplies(requester: Requester, mostBytes: () => number): void {
  const { createRequest } = requester;
  requester.createRequest = (options, answer) => {
    let reply: Readable | undefined;
    const end = (error: Error) => {
      clearTimeout(silence);
      // With its reason first: an end that comes by itself is no error. What was asked is a stream that has ended long
      // ago, and says nothing any more when it is destroyed.
      if (reply) reply.destroy(error);
      else request.emit('error', error);
      request.abort();
    };
    const silence = setTimeout(() => end(new Error('The server says nothing more')), longestSilenceMs);
    const request = createRequest.call(requester, options, (response) => {
      reply = response;
      const most = mostBytes();
      let received = 0;
      response.on('data', (chunk: Buffer | string) => {
        silence.refresh();
        received += Buffer.byteLength(chunk);
        if (received > most) end(new ReplyTooLarge(`The server sends more than ${most} bytes`));
      });
      response.on('close', () => clearTimeout(silence));
      answer(response);
    });
    // Also where whoever asked goes on elsewhere, as after a redirect.
    for (const over of ['abort', 'error']) request.on(over, () => clearTimeout(silence));
    return request;
  };
}
