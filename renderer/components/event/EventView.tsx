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
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { CallSentence } from './CallSentence.tsx';
import { ContentAsData } from './ContentAsData.tsx';
import { EventName } from './EventName.tsx';
import classes from './EventView.module.css';
import { type EventContent, eventContent } from './event-content.ts';
import { MediaCard } from './MediaCard.tsx';
import { MessageBody } from './MessageBody.tsx';
import { PlaceView } from './PlaceView.tsx';
import { ChosenAnswers, PollView } from './PollView.tsx';
import { placeInConversation } from './place-in-conversation.ts';
import { RemoteImage } from './RemoteImage.tsx';
import { Said, Who } from './Said.tsx';
import { StateView } from './StateView.tsx';
import { TextMessage } from './TextMessage.tsx';

type Props = {
  event: JsonObject;
  /** Among others, where its type would be repeated on every line. */
  brief?: boolean;
};

/** An event as its sender meant it, whatever its type; nothing of it loads by itself. */
export function EventView({ event, brief = false }: Props) {
  const content = eventContent(event);
  const view = <ContentView event={event} content={content} brief={brief} />;
  const { answers, thread } = placeInConversation(event);
  if (!('edits' in content) && answers === undefined && thread === undefined) return view;
  return (
    <div className={classes.stack}>
      {'edits' in content && (
        <span className={classes.note}>
          <Trans id="An edit of {event}" values={{ event: <EventName id={content.edits} /> }} />
        </span>
      )}
      {thread !== undefined && (
        <span className={classes.note}>
          <Trans id="In the thread of {event}" values={{ event: <EventName id={thread} /> }} />
        </span>
      )}
      {answers !== undefined && (
        <span className={classes.note}>
          <Trans id="In answer to {event}" values={{ event: <EventName id={answers} /> }} />
        </span>
      )}
      {view}
    </div>
  );
}

function ContentView({ event, content, brief }: Required<Props> & { content: EventContent }) {
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
          <span className={classes.note}>{i18n.t('A sticker')}</span>
          <MediaCard media={content.media} />
        </div>
      );
    case 'redacted':
      return (
        <Aside icon={<IconTrashX size={16} stroke={1.5} />}>
          {content.by === undefined ? (
            i18n.t('Removed.')
          ) : (
            <Trans id="Removed by {user}." values={{ user: <Who id={content.by} /> }} />
          )}{' '}
          <Reason text={content.reason} /> {!brief && i18n.t('The server no longer has what it said.')}
        </Aside>
      );
    case 'encrypted':
      return (
        <Aside icon={<IconLock size={16} stroke={1.5} />}>
          <Trans
            id="End-to-end encrypted ({algorithm}): only the people in the room can read it."
            values={{ algorithm: <Said text={content.algorithm} /> }}
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
              id="Took back the vote in a poll: {poll}"
              values={{ poll: <EventName id={content.of} /> }}
            />
          ) : (
            <Trans
              id="Voted {answers} in a poll: {poll}"
              values={{
                answers: <ChosenAnswers of={content.of} ids={content.answers} />,
                poll: <EventName id={content.of} />,
              }}
            />
          )}
        </Aside>
      );
    case 'poll-end':
      return (
        <div className={classes.stack}>
          <span className={classes.note}>
            <Trans id="Ended a poll: {poll}" values={{ poll: <EventName id={content.of} /> }} />
          </span>
          {content.says !== undefined && <MessageBody text={content.says} />}
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
                id="Reacted with a picture to {event}"
                values={{ event: <EventName id={content.of} /> }}
              />
            </span>
            <RemoteImage uri={content.key} name={i18n.t('A reaction')} />
          </div>
        );
      }
      return (
        <Aside icon={<IconMoodSmile size={16} stroke={1.5} />}>
          <Trans
            id="Reacted with “{key}” to {event}"
            values={{ key: <Said text={content.key} />, event: <EventName id={content.of} /> }}
          />
        </Aside>
      );
    case 'redaction':
      return (
        <Aside icon={<IconArrowBackUp size={16} stroke={1.5} />}>
          <Trans id="Removed {event}." values={{ event: <EventName id={content.of} /> }} />{' '}
          <Reason text={content.reason} />
        </Aside>
      );
    case 'call':
      return (
        <div className={classes.stack}>
          <Aside icon={<IconPhone size={16} stroke={1.5} />}>
            <CallSentence call={content.step} type={event.type} />
          </Aside>
          {content.step.step === 'other' && <ContentAsData content={event.content} />}
        </div>
      );
    case 'verification':
      return (
        <Aside icon={<IconShieldCheck size={16} stroke={1.5} />}>
          <Trans
            id="Asked {user} to compare keys (a verification)"
            values={{ user: <Who id={content.to ?? i18n.t('someone')} /> }}
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
              id="The console has no view for {type}: this is what it holds."
              values={{
                type: (
                  <code>
                    <Said text={content.type} />
                  </code>
                ),
              }}
            />
          </span>
          <ContentAsData content={event.content} />
        </div>
      );
  }
}

function Reason({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <>
      {i18n.t('Reason:')} <Said text={text} />
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
