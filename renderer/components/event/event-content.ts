/** What an event says, read from `event_json` without trusting any of it: fields may lack or lie. */

import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';

export type MediaKind = 'image' | 'video' | 'audio' | 'file' | 'sticker';

export type EventContent =
  | {
      kind: 'text';
      style: 'plain' | 'emote' | 'notice';
      body: string;
      html?: string;
      /** The event that this one replaces. */
      edits?: string;
      /** A msgtype that the console doesn't know; clients then show the body. */
      unknownType?: string;
    }
  | { kind: 'media'; media: MediaFile; caption?: string; captionHtml?: string }
  | { kind: 'redacted'; by?: string; reason?: string }
  | { kind: 'encrypted'; algorithm: string }
  | { kind: 'state'; type: string; stateKey: string; summary: string }
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
};

export function eventContent(event: JsonObject): EventContent {
  const type = text(event.type) ?? i18n.t('an event without a type');
  const content = object(event.content) ?? {};
  const unsigned = object(event.unsigned) ?? {};
  const because = object(unsigned.redacted_because);
  if (because || unsigned.redacted_by !== undefined) {
    return {
      kind: 'redacted',
      by: text(because?.sender),
      reason: text(object(because?.content)?.reason),
    };
  }
  if (text(event.state_key) !== undefined) {
    return { kind: 'state', type, stateKey: text(event.state_key) ?? '', summary: stateSummary(type, event) };
  }
  if (type === 'm.room.encrypted') {
    return { kind: 'encrypted', algorithm: text(content.algorithm) ?? 'unknown' };
  }
  if (type === 'm.sticker') return { kind: 'media', media: mediaFile('sticker', content) };
  if (type !== 'm.room.message') return { kind: 'other', type, body: text(content.body) };
  if (Object.keys(content).length === 0) return { kind: 'redacted' };
  return messageContent(content);
}

function messageContent(content: JsonObject): EventContent {
  const relation = object(content['m.relates_to']);
  const replacement = text(relation?.rel_type) === 'm.replace' ? object(content['m.new_content']) : undefined;
  if (replacement) {
    const edited = messageContent(replacement);
    return edited.kind === 'text' ? { ...edited, edits: text(relation?.event_id) } : edited;
  }

  const body = text(content.body);
  const html = content.format === 'org.matrix.custom.html' ? text(content.formatted_body) : undefined;
  const msgtype = text(content.msgtype);
  const media = mediaKinds[msgtype ?? ''];
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
  const repliesTo = object(relation?.['m.in_reply_to']);
  return {
    kind: 'text',
    style: msgtype === 'm.emote' ? 'emote' : msgtype === 'm.notice' ? 'notice' : 'plain',
    body: repliesTo ? withoutReplyFallback(body ?? '') : (body ?? ''),
    html,
    ...(!knownTextTypes.has(msgtype ?? '') && { unknownType: msgtype ?? 'none' }),
  };
}

const knownTextTypes = new Set(['m.text', 'm.emote', 'm.notice']);

const mediaKinds: Partial<Record<string, MediaKind>> = {
  'm.image': 'image',
  'm.video': 'video',
  'm.audio': 'audio',
  'm.file': 'file',
};

function mediaFile(kind: MediaKind, content: JsonObject): MediaFile {
  const info = object(content.info) ?? {};
  const uri = text(content.url);
  return {
    kind,
    name: text(content.filename) ?? text(content.body) ?? i18n.t('without a name'),
    uri: uri?.startsWith('mxc://') ? uri : undefined,
    encrypted: object(content.file) !== undefined,
    mimetype: text(info.mimetype),
    size: amount(info.size),
    width: amount(info.w),
    height: amount(info.h),
  };
}

/** The quoted lines that old clients put before a reply. */
function withoutReplyFallback(body: string): string {
  if (!body.startsWith('> ')) return body;
  const lines = body.split('\n');
  const first = lines.findIndex((line) => !line.startsWith('>'));
  return first === -1 ? body : lines.slice(first).join('\n').trimStart();
}

/** What a state event changed, for the types that moderators meet. */
function stateSummary(type: string, event: JsonObject): string {
  const content = object(event.content) ?? {};
  switch (type) {
    case 'm.room.name':
      return i18n.t('Named the room “{name}”', { name: text(content.name) ?? '' });
    case 'm.room.topic':
      return i18n.t('Set the topic to “{topic}”', { topic: text(content.topic) ?? '' });
    case 'm.room.avatar':
      return i18n.t("Set the room's picture to {address}", {
        address: text(content.url) ?? i18n.t('nothing'),
      });
    case 'm.room.member': {
      const reason = text(content.reason);
      const name = text(content.displayname);
      return [
        i18n.t('Membership of {user}: {membership}', {
          user: text(event.state_key) ?? i18n.t('someone'),
          membership: text(content.membership) ?? i18n.t('unknown'),
        }),
        name && i18n.t('shown as “{name}”', { name }),
        reason && i18n.t('because “{reason}”', { reason }),
      ]
        .filter(Boolean)
        .join(', ');
    }
    default:
      return i18n.t('Changed {type}', { type });
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const object = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
