import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import {
  IconArrowBackUp,
  IconLock,
  IconMoodSmile,
  IconPhone,
  IconShieldCheck,
  IconTrashX,
} from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { Disclosure } from '../Disclosure.tsx';
import { JsonViewer } from '../json/JsonViewer.tsx';
import { ChosenAnswers, MediaCard, PlaceView, PollView } from './cards.tsx';
import { EventLink, EventLookupContext, EventName, QuotedText, UserMention } from './EventReference.tsx';
import classes from './EventView.module.css';
import { type CallStep, type EventContent, eventContent } from './event-content.ts';
import { eventRelations } from './message-content.ts';
import { RemoteImage } from './RemoteImage.tsx';
import { text } from './read-json.ts';
import { StateView } from './StateView.tsx';
import { MessageBody, TextMessage } from './TextMessage.tsx';

type Props = {
  event: JsonObject;
  /** In a timeline, where the event type would repeat on every line. */
  brief?: boolean;
  /** An event shown next to this one, to which references are left out. */
  besideEventId?: string | undefined;
};

export const redactionSenderNote = /*i18n*/ "Redactions by an admin can appear as the sender's.";

/** Renders an event of any type. Loads no media until clicked. */
export function EventView({ event, brief = false, besideEventId }: Props) {
  const { nameOf } = useContext(EventLookupContext);
  const content = eventContent(event);
  const view = <ContentView event={event} content={content} brief={brief} />;
  const place = eventRelations(event);
  const [answers, thread] = [place.answers, place.thread].map((id) =>
    id === besideEventId ? undefined : id,
  );
  if (!('edits' in content) && answers === undefined && thread === undefined) return view;
  const roomId = event.room_id;
  return (
    <div className={classes.stack}>
      {'edits' in content && (
        <span className={classes.note}>
          <Trans id="Edit of {event}" values={{ event: <EventName id={content.edits} roomId={roomId} /> }} />
        </span>
      )}
      {thread !== undefined && (
        <span className={classes.note}>
          {nameOf(thread) === undefined ? (
            <EventLink id={thread} roomId={roomId}>
              {i18n.t('In a thread')}
            </EventLink>
          ) : (
            <Trans id="In thread of {event}" values={{ event: <EventName id={thread} roomId={roomId} /> }} />
          )}
        </span>
      )}
      {answers !== undefined && (
        <span className={classes.note}>
          <Trans id="In reply to {event}" values={{ event: <EventName id={answers} roomId={roomId} /> }} />
        </span>
      )}
      {view}
    </div>
  );
}

type ContentProps = { event: JsonObject; content: EventContent; brief: boolean };

function ContentView({ event, content, brief }: ContentProps) {
  const { room_id: roomId } = event;
  switch (content.kind) {
    case 'text':
      return <TextMessage content={content} sender={event.sender} />;
    case 'media':
      return (
        <div className={classes.stack}>
          <MediaCard media={content.media} />
          {content.caption !== undefined && <MessageBody text={content.caption} html={content.captionHtml} />}
        </div>
      );
    case 'sticker':
      return (
        <div className={classes.stack}>
          <span className={classes.note}>{i18n.t('Sticker')}</span>
          <MediaCard media={content.media} />
        </div>
      );
    case 'redacted':
      return (
        <Aside icon={<IconTrashX size={16} stroke={1.5} />}>
          <Removed event={event} by={content.by} /> <Reason text={content.reason} />{' '}
          {!brief && i18n.t('Content no longer available.')}
        </Aside>
      );
    case 'encrypted':
      return (
        <Aside icon={<IconLock size={16} stroke={1.5} />}>
          <Trans
            id="End-to-end encrypted ({algorithm}). Only room members can read it."
            values={{ algorithm: <QuotedText text={content.algorithm} /> }}
          />
        </Aside>
      );
    case 'poll':
      return <PollView poll={content.poll} />;
    case 'poll-response':
      return (
        <Aside icon={<IconMoodSmile size={16} stroke={1.5} />}>
          {content.answers.length === 0 ? (
            <Trans
              id="Withdrew vote in poll: {poll}"
              values={{ poll: <EventName id={content.of} roomId={roomId} /> }}
            />
          ) : (
            <Trans
              id="Voted {answers} in poll: {poll}"
              values={{
                answers: <ChosenAnswers of={content.of} ids={content.answers} />,
                poll: <EventName id={content.of} roomId={roomId} />,
              }}
            />
          )}
        </Aside>
      );
    case 'poll-end':
      return (
        <div className={classes.stack}>
          <span className={classes.note}>
            <Trans id="Ended poll: {poll}" values={{ poll: <EventName id={content.of} roomId={roomId} /> }} />
          </span>
          {content.text !== undefined && <MessageBody text={content.text} />}
        </div>
      );
    case 'place':
      return <PlaceView place={content.place} />;
    case 'reaction':
      if (content.key.startsWith('mxc://')) {
        return (
          <div className={classes.stack}>
            <span className={classes.note}>
              <Trans
                id="Reacted with an image to {event}"
                values={{ event: <EventName id={content.of} roomId={roomId} /> }}
              />
            </span>
            <RemoteImage uri={content.key} name={i18n.t('Reaction')} />
          </div>
        );
      }
      return (
        <Aside icon={<IconMoodSmile size={16} stroke={1.5} />}>
          <Trans
            id="Reacted with “{key}” to {event}"
            values={{
              key: <QuotedText text={content.key} />,
              event: <EventName id={content.of} roomId={roomId} />,
            }}
          />
        </Aside>
      );
    case 'redaction':
      return (
        <Aside icon={<IconArrowBackUp size={16} stroke={1.5} />}>
          <Trans id="Redacted {event}." values={{ event: <EventName id={content.of} roomId={roomId} /> }} />{' '}
          <Reason text={content.reason} />
        </Aside>
      );
    case 'call':
      return (
        <div className={classes.stack}>
          <Aside icon={<IconPhone size={16} stroke={1.5} />}>
            <CallSentence call={content.step} type={event.type} />
          </Aside>
          {content.step.step === 'other' && <RawContent content={event.content} />}
        </div>
      );
    case 'verification':
      return (
        <Aside icon={<IconShieldCheck size={16} stroke={1.5} />}>
          <Trans
            id="Requested verification from {user}"
            values={{ user: <UserMention id={content.to ?? i18n.t('a user')} /> }}
          />
        </Aside>
      );
    case 'state':
      return <StateView event={event} type={content.type} brief={brief} />;
    case 'other':
      return (
        <div className={classes.stack}>
          {content.body !== undefined && <MessageBody text={content.body} />}
          <span className={classes.note}>
            <Trans
              id="No view for {type}. Raw content:"
              values={{
                type: (
                  <code>
                    <QuotedText text={content.type} />
                  </code>
                ),
              }}
            />
          </span>
          <RawContent content={event.content} />
        </div>
      );
  }
}

/** Says who redacted the event, if known beyond the sender. */
function Removed({ event, by }: { event: JsonObject; by: string | undefined }) {
  const { removerOf } = useContext(EventLookupContext);
  const remover = removerOf?.(event) ?? (by === event.sender ? undefined : by);
  if (remover !== undefined)
    return <Trans id="Redacted by {user}." values={{ user: <UserMention id={remover} /> }} />;
  return (
    <span title={by === undefined ? undefined : i18n.t(redactionSenderNote)}>{i18n.t('Redacted.')}</span>
  );
}

function Reason({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <>
      {i18n.t('Reason:')} <QuotedText text={text} />
    </>
  );
}

function Aside({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.aside}>
      {icon}
      <span>{children}</span>
    </div>
  );
}

/** Describes a step of a call. Connection details are left to the source. */
function CallSentence({ call, type }: { call: CallStep; type: unknown }) {
  const reason = call.reason === undefined ? undefined : <QuotedText text={call.reason} />;
  switch (call.step) {
    case 'invite':
      if (call.video === undefined) return i18n.t('Started a call');
      return call.video ? i18n.t('Started a video call') : i18n.t('Started a voice call');
    case 'ring':
      return i18n.t('Called the room');
    case 'answer':
      return i18n.t('Answered the call');
    case 'reject':
      return i18n.t('Declined the call');
    case 'hangup':
      return reason ? <Trans id="Ended the call: {reason}" values={{ reason }} /> : i18n.t('Ended the call');
    case 'negotiate':
      return i18n.t('Negotiated the call connection');
    case 'other':
      return <Trans id="Call event: {type}" values={{ type: <QuotedText text={text(type) ?? ''} /> }} />;
  }
}

/** Renders content of an unknown type as JSON. */
function RawContent({ content }: { content: unknown }) {
  return (
    <Disclosure label={i18n.t('Content')}>
      <JsonViewer value={content ?? null} label="content" />
    </Disclosure>
  );
}
