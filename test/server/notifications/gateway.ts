/** A push gateway for tests: records notifications, and lets tests set and delay its replies. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path } from '../rooms/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary content
export type Note = any;

type Answer = { status: number; body: object };

type Gateway = {
  /** Returns its URL; the query identifies replies to hold. */
  url(query?: string): string;
  /** Received notifications, in order. Tests clear it. */
  notes: Note[];
  /** Returns the message texts received for a pusher, in order. */
  told(pushkey: string): (string | undefined)[];
  /** Default reply. */
  answer: Answer;
  /** Delays replies to a URL with this query until the returned function is called, optionally with another reply. */
  hold(query: string): (answer?: Answer) => void;
  /** Number of replies that the server didn't wait for. */
  readonly givenUp: number;
  close(): void;
};

/** Networks from which it's reachable. */
export const callableNetworks = [ipaddr.parseCIDR('127.0.0.1/32')];

/** Returns a pusher's data that sends to this gateway. */
const pusherTo = (gateway: Gateway, changes: object = {}, data: object = {}) => ({
  ...{ app_id: 'org.example', pushkey: 'key', kind: 'http', lang: 'en' },
  ...{ app_display_name: 'Example', device_display_name: 'Phone' },
  data: { url: gateway.url(), ...data },
  ...changes,
});

async function startGateway(): Promise<Gateway> {
  const held = new Map<string, Promise<Answer | undefined>>();
  let givenUp = 0;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    gateway.notes.push(JSON.parse(Buffer.concat(pieces).toString()).notification);
    response.on('close', () => {
      if (!response.writableEnded) givenUp++;
    });
    const query = request.url?.split('?')[1] ?? '';
    const { status, body } = (await held.get(query)) ?? gateway.answer;
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://localhost:${(server.address() as AddressInfo).port}/_matrix/push/v1/notify`;
  const gateway: Gateway = {
    url: (query) => (query === undefined ? base : `${base}?${query}`),
    notes: [],
    told: (pushkey) =>
      gateway.notes
        .filter(({ devices }) => devices[0].pushkey === pushkey)
        .map(({ content }) => content?.body),
    answer: { status: 200, body: { rejected: [] } },
    hold(query) {
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      held.set(query, promise);
      return resolve;
    },
    get givenUp() {
      return givenUp;
    },
    close: () => server.close(),
  };
  return gateway;
}

/** A homeserver with a reachable gateway, and a room created by Alice with Bob and Carol. */
export type Pushing = {
  homeserver: TestHomeserver;
  gateway: Gateway;
  room: string;
  /** Returns the data of a pusher that sends to the gateway. */
  pusher(changes?: object, data?: object): object;
  /** Sets a pusher for a user, by default Bob. */
  set(body: object, who?: string): Promise<Reply>;
  end(): Promise<void>;
};

export async function startPushing(): Promise<Pushing> {
  const gateway = await startGateway();
  const homeserver = await startHomeserver({ config: { callableNetworks } });
  const room = await makeRoom(homeserver.as('alice'), { name: 'Tea' });
  await change(homeserver.as('bob'), room, 'join');
  await change(homeserver.as('carol'), room, 'join');
  return {
    ...{ homeserver, gateway, room },
    pusher: (changes, data) => pusherTo(gateway, changes, data),
    set: (body, who = 'bob') => homeserver.as(who).post(path('pushers', 'set'), body),
    async end() {
      await homeserver.remove();
      gateway.close();
    },
  };
}
