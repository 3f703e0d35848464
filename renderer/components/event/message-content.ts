/** What a message (`m.room.message`) says. Matrix specification, "Instant messaging". */
import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import { amount, eventIdIn, items, object, text, texts } from './read-json.ts';

type MediaKind = 'image' | 'video' | 'audio' | 'file' | 'sticker';

type TextStyle = 'plain' | 'emote' | 'notice' | 'server-notice';

/** `edits`: the event that this one replaces. */
export type MessageContent = OwnContent & { edits?: string };

type OwnContent =
  | {
      kind: 'text';
      style: TextStyle;
      body: string;
      html?: string;
      /** What older apps put before an answer, and others leave out; in either form. */
      quote?: string;
      quoteHtml?: string;
      /** A msgtype that the console doesn't know; clients then show the body. */
      unknownType?: string;
    }
  | { kind: 'media'; media: MediaFile; caption?: string; captionHtml?: string }
  | { kind: 'place'; place: Place }
  | { kind: 'verification'; to?: string }
  | { kind: 'other'; type: string; body?: string };

export type MediaFile = {
  kind: MediaKind;
  name: string;
  /** `mxc://…`; absent where the file is encrypted or has no address. */
  uri?: string;
  encrypted: boolean;
  mimetype?: string;
  size?: number;
  width?: number;
  height?: number;
  /** In milliseconds. */
  duration?: number;
};

// Maps, because a message may call itself `constructor`.
const textStyles = new Map<unknown, TextStyle>([
  ['m.text', 'plain'],
  ['m.emote', 'emote'],
  ['m.notice', 'notice'],
  ['m.server_notice', 'server-notice'],
]);

const mediaKinds = new Map<unknown, MediaKind>([
  ['m.image', 'image'],
  ['m.video', 'video'],
  ['m.audio', 'audio'],
  ['m.file', 'file'],
]);

/** The content of a message, or what replaces it where the message is an edit. */
export function messageContent(content: JsonObject): MessageContent {
  const relation = object(content['m.relates_to']);
  const replacement = text(relation?.rel_type) === 'm.replace' ? object(content['m.new_content']) : undefined;
  if (!replacement) return ownContent(content, relation);
  // What an edit holds is shown as it is: an edit within an edit is none.
  return { ...ownContent(replacement, undefined), edits: text(relation?.event_id) ?? '' };
}

function ownContent(content: JsonObject, relation: JsonObject | undefined): OwnContent {
  const body = text(content.body);
  const html = content.format === 'org.matrix.custom.html' ? text(content.formatted_body) : undefined;
  const msgtype = text(content.msgtype);
  if (msgtype === 'm.location') return { kind: 'place', place: placeOf(content) };
  if (msgtype === 'm.key.verification.request') return { kind: 'verification', to: text(content.to) };

  const media = mediaKinds.get(msgtype);
  if (media) {
    const filename = text(content.filename);
    const captioned = filename !== undefined && body !== undefined && filename !== body;
    return {
      kind: 'media',
      media: mediaFile(media, content),
      ...(captioned && { caption: body, captionHtml: html }),
    };
  }

  if (body === undefined && html === undefined) {
    return { kind: 'other', type: `m.room.message (${msgtype ?? 'no msgtype'})` };
  }
  const isAnswer =
    placeInConversation({ content: { 'm.relates_to': relation ?? null } }).answers !== undefined;
  const plain = isAnswer ? partedPlain(body ?? '') : { said: body ?? '' };
  const formatted = isAnswer && html !== undefined ? partedFormatted(html) : undefined;
  return {
    kind: 'text',
    style: textStyles.get(msgtype) ?? 'plain',
    body: plain.said,
    html: formatted?.said ?? html,
    quote: plain.quote,
    quoteHtml: formatted?.quote,
    ...(!textStyles.has(msgtype) && { unknownType: msgtype ?? 'none' }),
  };
}

/** An image, a sound, a video or a file; `info` says what its sender claims about it. */
export function mediaFile(kind: MediaKind, content: JsonObject): MediaFile {
  const info = object(content.info) ?? {};
  const uri = text(content.url);
  return {
    kind,
    name: text(content.filename) ?? text(content.body) ?? i18n.t('unnamed'),
    uri: uri?.startsWith('mxc://') ? uri : undefined,
    encrypted: object(content.file) !== undefined,
    mimetype: text(info.mimetype),
    size: amount(info.size),
    width: amount(info.w),
    height: amount(info.h),
    duration: amount(info.duration),
  };
}

/** Text as extensible events hold it: plain, or in several forms of which the plain one is taken. */
function extensibleText(content: JsonObject): string | undefined {
  const forms = items(content['m.text']).map(object);
  const plain = forms.find((form) => form && (form.mimetype ?? 'text/plain') === 'text/plain');
  return (
    text(content['m.text']) ??
    text(plain?.body) ??
    text(content['org.matrix.msc1767.text']) ??
    text(content.body)
  );
}

/**
 * The quote that apps put before an answer until version 1.13 of the Matrix specification ("Rich replies"), which
 * tells apps to leave it out. Whatever a sender writes there is unseen by most, so only what has the form that apps
 * gave it is taken apart from the rest.
 */

/** What a text says, and the quote before it. */
type Parted = { said: string; quote?: string };

const plainQuote = /^> (?:\* )?<@[^>\n]+>/;
const formattedQuote = /^\s*<mx-reply>([\s\S]*?)<\/mx-reply>/i;

function partedPlain(body: string): Parted {
  if (!plainQuote.test(body)) return { said: body };
  const lines = body.split('\n');
  const first = lines.findIndex((line) => !line.startsWith('> '));
  const said = first === -1 ? '' : lines.slice(first).join('\n').trimStart();
  return said === '' ? { said: body } : { said, quote: lines.slice(0, first).join('\n') };
}

function partedFormatted(html: string): Parted {
  const [all = '', quote] = formattedQuote.exec(html) ?? [];
  const said = html.slice(all.length);
  return quote === undefined || said.trim() === '' ? { said: html } : { said, quote };
}

// What a message answers, and whose thread it is in. Matrix specification, "Rich replies" and "Threading".

type PlaceInConversation = { answers?: string | undefined; thread?: string | undefined };

export function placeInConversation(event: JsonObject): PlaceInConversation {
  if (text(event.state_key) !== undefined) return {};
  const relation = object(object(event.content)?.['m.relates_to']) ?? {};
  const answered = eventIdIn(object(relation['m.in_reply_to'])?.event_id);
  const thread = text(relation.rel_type) === 'm.thread' ? eventIdIn(relation.event_id) : undefined;
  // For clients without threads each message of one says that it answers the one before.
  const isAnswer = thread === undefined || relation.is_falling_back !== true;
  return { answers: isAnswer ? answered : undefined, thread };
}

// Where a message says that something is. Nothing of it is ever looked up: a map is a remote load.

export type Place = {
  /** Absent where the address isn't one of a place on Earth. */
  coordinates?: { latitude: number; longitude: number; altitude?: number; uncertainty?: number };
  /** As it was sent. */
  uri?: string;
  description?: string;
  /** Whether it says where its sender is, and not where a thing is. */
  own: boolean;
  /** Whether it goes on being told. */
  live?: boolean;
  /** When it was so, in milliseconds. */
  at?: number;
};

export function placeOf(content: JsonObject): Place {
  const location = object(content['m.location']) ?? object(content['org.matrix.msc3488.location']) ?? {};
  const asset = object(content['m.asset']) ?? object(content['org.matrix.msc3488.asset']);
  const uri = text(content.geo_uri) ?? text(location.uri);
  return {
    coordinates: uri === undefined ? undefined : coordinatesOf(uri),
    uri,
    description: text(location.description) ?? text(content.description) ?? text(content.body),
    own: text(asset?.type) === 'm.self',
    live: typeof content.live === 'boolean' ? content.live : undefined,
    at: amount(content['m.ts']) ?? amount(content['org.matrix.msc3488.ts']),
  };
}

const geoUri =
  /^geo:(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)(?:,(-?\d{1,6}(?:\.\d{1,20})?))?(;.*)?$/i;

/** RFC 5870, as far as chat clients use it. */
function coordinatesOf(uri: string): Place['coordinates'] {
  const [, latitude, longitude, altitude, parameters = ''] = geoUri.exec(uri.slice(0, 400)) ?? [];
  if (latitude === undefined || Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) {
    return undefined;
  }
  const uncertainty = /;u=(\d{1,9}(?:\.\d{1,9})?)(?:;|$)/i.exec(parameters)?.[1];
  return {
    latitude: Number(latitude),
    longitude: Number(longitude),
    ...(altitude !== undefined && { altitude: Number(altitude) }),
    ...(uncertainty !== undefined && { uncertainty: Number(uncertainty) }),
  };
}

// Polls, as they are specified and as clients have sent them since before (`org.matrix.msc3381`).

export type Poll = {
  question: string;
  answers: { id: string; text: string }[];
  /** Answers beyond the twenty that a poll may have. */
  left: number;
  /** Whether everybody sees the votes before the poll has ended. */
  disclosed: boolean;
  /** How many answers one may choose. */
  most: number;
};

const mostAnswers = 20;

export function pollOf(content: JsonObject): Poll | undefined {
  const start =
    object(content['m.poll']) ??
    object(content['m.poll.start']) ??
    object(content['org.matrix.msc3381.poll.start']);
  if (!start) return undefined;
  const answers = items(start.answers).map((answer) => {
    const own = object(answer) ?? {};
    return { id: text(own['m.id']) ?? text(own.id) ?? '', text: extensibleText(own) ?? '' };
  });
  return {
    question: extensibleText(object(start.question) ?? {}) ?? '',
    answers: answers.slice(0, mostAnswers),
    left: Math.max(0, answers.length - mostAnswers),
    disclosed: !text(start.kind)?.endsWith('.undisclosed'),
    most: Math.max(1, Math.trunc(amount(start.max_selections) ?? 1)),
  };
}

/** The identifiers of the answers that were chosen; none where a vote was taken back. */
export function pollAnswers(content: JsonObject): string[] {
  const response =
    object(content['m.poll.response']) ?? object(content['org.matrix.msc3381.poll.response']) ?? {};
  return [...texts(content['m.selections']), ...texts(response.answers)].slice(0, mostAnswers);
}

export const pollEnd = (content: JsonObject): string | undefined => extensibleText(content);
