/** A push gateway of a test's own: what it was told, and what it answers, when. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path } from '../rooms/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
export type Note = any;

type Answer = { status: number; body: object };

type Gateway = {
  /** Its address, with a query where one is given, by which it knows what to hold. */
  url(query?: string): string;
  /** What it was told, in order; to be emptied by the test. */
  notes: Note[];
  /** What the messages said that it was told for a pusher, in order. */
  told(pushkey: string): (string | undefined)[];
  /** What it answers where nothing else is said. */
  answer: Answer;
  /** Answers nothing at an address until the function that it gives is called, with an answer of its own or without. */
  hold(query: string): (answer?: Answer) => void;
  /** How many of its answers were not waited for. */
  readonly givenUp: number;
  close(): void;
};

/** Under which a homeserver may call it. */
export const callableNetworks = [ipaddr.parseCIDR('127.0.0.1/32')];

/** What a client says of a pusher that sends to this gateway. */
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

/** A homeserver with a gateway that it may call, and a room of Alice's that Bob and Carol are in. */
export type Pushing = {
  homeserver: TestHomeserver;
  gateway: Gateway;
  room: string;
  /** A pusher that sends to the gateway. */
  pusher(changes?: object, data?: object): object;
  /** Sets a pusher for somebody, Bob where nobody is named. */
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
