import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type Bounds,
  boundReplies,
  ReplyTooLarge,
  type Requester,
} from '../../electron/updates/bounded-replies.ts';

const bounds = (change: Partial<Bounds> = {}): Bounds => ({
  mostBytes: 100_000,
  requestsLeft: 10,
  endsAt: performance.now() + 600_000,
  ...change,
});

let answer: (response: ServerResponse) => void;
const server = createServer((_request, response) => answer(response));
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a request as electron-updater does: reads the whole reply, and rejects on an error of request or reply. */
function ask(bound = bounds()): { begun: Promise<void>; outcome: Promise<number> } {
  const requester: Requester = { createRequest: (options, onReply) => request(options, onReply) };
  boundReplies(requester, () => bound);
  const begun = Promise.withResolvers<void>();
  const outcome = new Promise<number>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const asked = requester.createRequest({ host: '127.0.0.1', port }, (reply) => {
      let bytes = 0;
      reply.on('error', reject);
      reply.on('data', (chunk) => {
        bytes += chunk.length;
        begun.resolve();
      });
      reply.on('end', () => resolve(bytes));
    });
    asked.on('error', reject);
    asked.end();
  });
  return { begun: begun.promise, outcome };
}

test('a reply of exactly the maximum size is loaded', async () => {
  answer = (response) => response.end(Buffer.alloc(100_000));
  expect(await ask().outcome).toBe(100_000);
});

test('one byte more is too large', async () => {
  answer = (response) => response.end(Buffer.alloc(100_001));
  await expect(ask().outcome).rejects.toThrow(ReplyTooLarge);
});

test.each<[string, (response: ServerResponse) => void, boolean]>([
  ['never begins', () => {}, false],
  ['stops in its middle', (response) => response.write('some'), true],
])('a reply that %s times out after a minute', async (_, reply, begins) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const arrived = Promise.withResolvers<void>();
    answer = (response) => {
      reply(response);
      arrived.resolve();
    };
    const { begun, outcome } = ask();
    const refused = expect(outcome).rejects.toThrow('stopped sending');
    await (begins ? begun : arrived.promise);
    vi.advanceTimersByTime(60_000);
    await refused;
  } finally {
    vi.useRealTimers();
  }
});

/** An Electron request without a reply. The stream finishes once the request is sent. */
class Unanswered extends Writable {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }

  abort(): void {
    process.nextTick(() => this.emit('abort'));
    this.destroy();
  }
}

function askInVain() {
  const requester: Requester = { createRequest: () => new Unanswered() };
  boundReplies(requester, () => bounds());
  const errors: Error[] = [];
  const asked = requester.createRequest({}, () => {});
  asked.on('error', (error: Error) => errors.push(error));
  asked.end();
  return { asked, errors };
}

test.each([
  ['is given up after a minute, though it is over as a stream', false, ['The server stopped sending']],
  ['reports nothing later if the caller has followed a redirect', true, []],
])('a request %s', async (_, goesOn, said) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { asked, errors } = askInVain();
    await setImmediate();
    expect(asked.destroyed).toBe(true);
    if (goesOn) asked.abort();
    await setImmediate();
    vi.advanceTimersByTime(60_000);
    expect(errors.map(({ message }) => message)).toEqual(said);
  } finally {
    vi.useRealTimers();
  }
});

test('a slow trickling reply times out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    answer = (response) => response.write('some');
    const { begun, outcome } = ask(bounds({ endsAt: performance.now() + 30_000 }));
    const refused = expect(outcome).rejects.toThrow('took too long');
    await begun;
    vi.advanceTimersByTime(30_000);
    await refused;
  } finally {
    vi.useRealTimers();
  }
});

test('an endless redirect is given up', async () => {
  answer = (response) => response.end('some');
  const bound = bounds({ requestsLeft: 2 });
  for (let times = 0; times < 2; times++) expect(await ask(bound).outcome).toBe(4);
  await expect(ask(bound).outcome).rejects.toThrow('Too many redirects');
});

/** An Electron reply. Without a listener, its errors are uncaught exceptions in the app. */
function reply(said: (response: Readable) => void): Writable {
  const response = new Readable({ read() {} });
  const requester: Requester = {
    createRequest: (_options, onReply) => {
      const request = new Unanswered();
      process.nextTick(onReply, response);
      return request;
    },
  };
  boundReplies(requester, () => bounds());
  return requester.createRequest({}, said);
}

test('an oversized reply that no one reads does no harm', async () => {
  const answered = Promise.withResolvers<Readable>();
  reply((response) => answered.resolve(response));
  const response = await answered.promise;
  const closed = new Promise((resolve) => response.once('close', resolve));
  response.push(Buffer.alloc(100_001));
  await closed;
  expect(response.errored).toBeInstanceOf(ReplyTooLarge);
});

test('an invalid redirect fails the request', async () => {
  const request = reply(() => {
    throw new TypeError('Invalid URL');
  });
  const [error] = await once(request, 'error').catch((thrown) => [thrown]);
  expect(error.message).toBe('Invalid URL');
});

test("a request that can't be sent rejects and doesn't throw", async () => {
  const requester: Requester = {
    createRequest: () => {
      throw new Error('only http: and https:');
    },
  };
  boundReplies(requester, () => bounds());
  const request = requester.createRequest({}, () => {});
  const said = new Promise<Error>((resolve) => request.once('error', resolve));
  request.end();
  expect((await said).message).toBe('only http: and https:');
});
