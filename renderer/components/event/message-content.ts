/** Reads `m.room.message` events. Matrix specification, "Instant messaging". */
import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import { amount, eventIdIn, items, object, text, texts } from './read-json.ts';

type MediaKind = 'image' | 'video' | 'audio' | 'file' | 'sticker';

type TextStyle = 'plain' | 'emote' | 'notice' | 'server-notice';

/** `edits`: the ID of the event that this one replaces. */
export type MessageContent = UneditedContent & { edits?: string };

type UneditedContent =
  | {
      kind: 'text';
      style: TextStyle;
      body: string;
      html?: string;
      /** Reply fallback, in either form. */
      quote?: string;
      quoteHtml?: string;
      /** An unknown msgtype; clients then show the body. */
      unknownType?: string;
    }
  | { kind: 'media'; media: MediaFile; caption?: string; captionHtml?: string }
  | { kind: 'place'; place: GeoLocation }
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
  /** `mxc://…` of a still image of a video. */
  poster?: string;
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

/** Reads a message, or the new content of an edit. */
export function messageContent(content: JsonObject): MessageContent {
  const relation = object(content['m.relates_to']);
  const replacement = text(relation?.rel_type) === 'm.replace' ? object(content['m.new_content']) : undefined;
  if (!replacement) return readContent(content, relation);
  // An edit within an edit is ignored.
  return { ...readContent(replacement, undefined), edits: text(relation?.event_id) ?? '' };
}

function readContent(content: JsonObject, relation: JsonObject | undefined): UneditedContent {
  const body = text(content.body);
  const html = content.format === 'org.matrix.custom.html' ? text(content.formatted_body) : undefined;
  const msgtype = text(content.msgtype);
  if (msgtype === 'm.location') return { kind: 'place', place: readLocation(content) };
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
  const isReply = eventRelations({ content: { 'm.relates_to': relation ?? null } }).answers !== undefined;
  const plain = isReply ? splitPlainReply(body ?? '') : { text: body ?? '' };
  const formatted = isReply && html !== undefined ? splitFormattedReply(html) : undefined;
  return {
    kind: 'text',
    style: textStyles.get(msgtype) ?? 'plain',
    body: plain.text,
    html: formatted?.text ?? html,
    quote: plain.quote,
    quoteHtml: formatted?.quote,
    ...(!textStyles.has(msgtype) && { unknownType: msgtype ?? 'none' }),
  };
}

/** Reads a file event; `info` is the sender's claim. */
export function mediaFile(kind: MediaKind, content: JsonObject): MediaFile {
  const info = object(content.info) ?? {};
  const uri = text(content.url);
  const poster = text(info.thumbnail_url);
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
    poster: kind === 'video' && poster?.startsWith('mxc://') ? poster : undefined,
  };
}

/** Reads extensible text: plain, or the plain one of several representations. */
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
 * Reply fallbacks, which clients sent until Matrix 1.13 ("Rich replies"). Most clients hide them, so only the exact
 * form is removed.
 */

type SplitReply = { text: string; quote?: string };

const plainQuote = /^> (?:\* )?<@[^>\n]+>/;
const formattedQuote = /^\s*<mx-reply>([\s\S]*?)<\/mx-reply>/i;

function splitPlainReply(body: string): SplitReply {
  if (!plainQuote.test(body)) return { text: body };
  const lines = body.split('\n');
  const first = lines.findIndex((line) => !line.startsWith('> '));
  const text = first === -1 ? '' : lines.slice(first).join('\n').trimStart();
  return text === '' ? { text: body } : { text, quote: lines.slice(0, first).join('\n') };
}

function splitFormattedReply(html: string): SplitReply {
  const [all = '', quote] = formattedQuote.exec(html) ?? [];
  const text = html.slice(all.length);
  return quote === undefined || text.trim() === '' ? { text: html } : { text, quote };
}

// Replies and threads. Matrix specification, "Rich replies" and "Threading".

type EventRelations = { answers?: string | undefined; thread?: string | undefined };

export function eventRelations(event: JsonObject): EventRelations {
  if (text(event.state_key) !== undefined) return {};
  const relation = object(object(event.content)?.['m.relates_to']) ?? {};
  const answered = eventIdIn(object(relation['m.in_reply_to'])?.event_id);
  const thread = text(relation.rel_type) === 'm.thread' ? eventIdIn(relation.event_id) : undefined;
  // A fallback for clients that don't support threads.
  const isReply = thread === undefined || relation.is_falling_back !== true;
  return { answers: isReply ? answered : undefined, thread };
}

// Locations. Never looked up: a map would be a remote load.

export type GeoLocation = {
  /** Absent if the URI isn't a place on Earth. */
  coordinates?: { latitude: number; longitude: number; altitude?: number; uncertainty?: number };
  uri?: string;
  description?: string;
  /** Whether it is the sender's own location. */
  isSelf: boolean;
  /** Whether it is still shared live. */
  isLive?: boolean;
  /** When it was taken, in milliseconds since the Unix epoch. */
  at?: number;
};

export function readLocation(content: JsonObject): GeoLocation {
  const location = object(content['m.location']) ?? object(content['org.matrix.msc3488.location']) ?? {};
  const asset = object(content['m.asset']) ?? object(content['org.matrix.msc3488.asset']);
  const uri = text(content.geo_uri) ?? text(location.uri);
  return {
    coordinates: uri === undefined ? undefined : coordinatesOf(uri),
    uri,
    description: text(location.description) ?? text(content.description) ?? text(content.body),
    isSelf: text(asset?.type) === 'm.self',
    isLive: typeof content.live === 'boolean' ? content.live : undefined,
    at: amount(content['m.ts']) ?? amount(content['org.matrix.msc3488.ts']),
  };
}

const geoUri =
  /^geo:(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)(?:,(-?\d{1,6}(?:\.\d{1,20})?))?(;.*)?$/i;

/** Parses a geo URI (RFC 5870). */
function coordinatesOf(uri: string): GeoLocation['coordinates'] {
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

// Polls, with their unstable name (`org.matrix.msc3381`).

export type Poll = {
  question: string;
  answers: { id: string; text: string }[];
  /** Number of answers beyond the twenty that a poll may have. */
  extraAnswers: number;
  /** Whether votes are visible before the end. */
  isDisclosed: boolean;
  /** How many answers a user may choose. */
  maxChoices: number;
};

const maxAnswers = 20;

export function readPoll(content: JsonObject): Poll | undefined {
  const start =
    object(content['m.poll']) ??
    object(content['m.poll.start']) ??
    object(content['org.matrix.msc3381.poll.start']);
  if (!start) return undefined;
  const answers = items(start.answers).map((answer) => {
    const fields = object(answer) ?? {};
    return { id: text(fields['m.id']) ?? text(fields.id) ?? '', text: extensibleText(fields) ?? '' };
  });
  return {
    question: extensibleText(object(start.question) ?? {}) ?? '',
    answers: answers.slice(0, maxAnswers),
    extraAnswers: Math.max(0, answers.length - maxAnswers),
    isDisclosed: !text(start.kind)?.endsWith('.undisclosed'),
    maxChoices: Math.max(1, Math.trunc(amount(start.max_selections) ?? 1)),
  };
}

/** Returns the IDs of the chosen answers; none if the vote was withdrawn. */
export function pollAnswers(content: JsonObject): string[] {
  const response =
    object(content['m.poll.response']) ?? object(content['org.matrix.msc3381.poll.response']) ?? {};
  return [...texts(content['m.selections']), ...texts(response.answers)].slice(0, maxAnswers);
}

export const pollEnd = (content: JsonObject): string | undefined => extensibleText(content);
