/** What a message (`m.room.message`) says. Matrix specification, "Instant messaging". */

import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import { partedFormatted, partedPlain } from './answer-quote.ts';
import { type Place, placeOf } from './place.ts';
import { placeInConversation } from './place-in-conversation.ts';
import { amount, items, object, text } from './read-json.ts';

export type MediaKind = 'image' | 'video' | 'audio' | 'file' | 'sticker';

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
export function extensibleText(content: JsonObject): string | undefined {
  const forms = items(content['m.text']).map(object);
  const plain = forms.find((form) => form && (form.mimetype ?? 'text/plain') === 'text/plain');
  return (
    text(content['m.text']) ??
    text(plain?.body) ??
    text(content['org.matrix.msc1767.text']) ??
    text(content.body)
  );
}
