/**
 * Users, rooms, messages, media and reports that a temporary server starts with, and the IDs that they get. Keys of maps
 * are names that the rest of the seed, and a test, refers to.
 */
import { type Static, type TStringOptions, Type } from 'typebox';
import { Dictionary, failures, JsonObject } from '../api/common.ts';

const strict = { additionalProperties: false } as const;
const text = (description: string, bounds: TStringOptions = {}) =>
  Type.Optional(Type.String({ description, ...bounds }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const userNames = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** Others can't be sent in a header. */
const token = {
  title: '1 to 1,000 ASCII characters without blanks',
  pattern: '^[!-~]+$',
  maxLength: 1000,
  examples: ['alice-token'],
};

const SeedDevice = Type.Object(
  {
    id: text('Device ID; random if not set', {
      title: '1 to 512 characters',
      minLength: 1,
      maxLength: 512,
      examples: ['PHONE'],
    }),
    name: text('Display name'),
    token: text('Access token; random if not set', token),
  },
  strict,
);

const SeedUser = Type.Object(
  {
    name: text('Display name; the local part if not set'),
    admin: flag('Server admin'),
    password: text('Without one, the user signs in by token only'),
    token: text('Access token of the first device', token),
    devices: Type.Optional(Type.Array(SeedDevice, { description: 'One device if not set' })),
    avatar: text('Name of a file in media'),
  },
  strict,
);

const SeedMedia = Type.Object(
  {
    by: Type.String({ description: 'Uploader' }),
    file: text('Path, relative to the seed file'),
    text: text('Content as text'),
    base64: text('Content in base64', {
      title: 'base64',
      pattern: '^[\\w+/=\\s-]*$',
      examples: ['aGVsbG8='],
    }),
    type: text('Content type; application/octet-stream, or text/plain for text, if not set', {
      title: 'a content type in ASCII',
      pattern: '^[!-~][ -~]*$',
      maxLength: 255,
      examples: ['image/png'],
    }),
    name: text('File name'),
  },
  strict,
);

const SeedState = Type.Object(
  {
    type: Type.String(),
    state_key: text('Empty if not set'),
    content: JsonObject,
    by: text('Sender; the creator if not set'),
  },
  strict,
);

const SeedMessage = Type.Object(
  {
    id: text('Name of the event, unique in its room'),
    by: Type.String({ description: 'Sender' }),
    text: text('Plain text of a message'),
    html: text('The same in HTML'),
    msgtype: text('m.text if not set'),
    media: text('Sends a file in media'),
    reply_to: text('ID of an earlier message in this room'),
    thread: text('ID of the root message'),
    edit: text('ID of the message to replace'),
    react: text('Key of a reaction, such as an emoji; needs to'),
    redact: text('ID of the event to redact'),
    to: text('ID of the message to react to'),
    reason: text('Reason for a redaction'),
    type: text('Type of an event with any content'),
    state_key: text('Makes it a state event'),
    content: Type.Optional(JsonObject),
    times: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'Sends it repeatedly; {n} is the number' }),
    ),
  },
  strict,
);

const SeedRoom = Type.Object(
  {
    creator: Type.String(),
    name: text('Name of the room'),
    topic: text('Topic'),
    alias: text('Local part of the alias'),
    avatar: text('Name of a file in media'),
    version: text('Room version'),
    preset: Type.Optional(Type.Enum(['private_chat', 'trusted_private_chat', 'public_chat'] as const)),
    published: flag('In the room directory'),
    encrypted: flag('Turns on encryption; messages of the seed are sent in plain text'),
    direct: flag('Direct chat of the creator and the members'),
    members: userNames('Joined users, beside the creator'),
    invited: userNames('Invited users'),
    knocking: userNames('Users who ask to join; needs the join rule knock'),
    banned: userNames('Banned users'),
    left: userNames('Users who joined and left'),
    power_levels: Type.Optional(Dictionary(Type.Integer())),
    state: Type.Optional(Type.Array(SeedState)),
    messages: Type.Optional(Type.Array(SeedMessage)),
  },
  strict,
);

const SeedReport = Type.Object(
  {
    by: Type.String(),
    event: text('Room and ID of the message, such as lobby/hello'),
    user: text('Reported user'),
    room: text('Reported room'),
    reason: text('Reason'),
    score: Type.Optional(Type.Integer({ minimum: -100, maximum: 0 })),
  },
  strict,
);

export const Seed = Type.Object(
  {
    time: text('Time of the first event; each one is a second later'),
    users: Type.Optional(Dictionary(SeedUser)),
    media: Type.Optional(Dictionary(SeedMedia)),
    rooms: Type.Optional(Dictionary(SeedRoom)),
    reports: Type.Optional(Type.Array(SeedReport)),
  },
  strict,
);
export type Seed = Static<typeof Seed>;
export type SeedMessage = Static<typeof SeedMessage>;
export type SeedRoom = Static<typeof SeedRoom>;

const WorldDevice = { device_id: Type.String(), access_token: Type.String() };

/** The IDs and tokens of a seed, by its names. */
export const World = Type.Object({
  users: Dictionary(
    Type.Object({
      user_id: Type.String(),
      ...WorldDevice,
      devices: Type.Array(Type.Object(WorldDevice), { description: 'All devices, with the first' }),
    }),
  ),
  rooms: Dictionary(
    Type.Object({
      room_id: Type.String(),
      alias: Type.Optional(Type.String()),
      events: Dictionary(Type.String(), {}),
    }),
  ),
  media: Dictionary(Type.String()),
});
export type World = Static<typeof World>;

/**
 * `POST seed`: adds a seed to the running server, whose users it may refer to. 400 names the problem; data added by then
 * stays.
 */
export const postSeed = { body: JsonObject, response: { 200: World, ...failures } };
