import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconFile, IconMapPin, IconMusic, IconVideo } from '@tabler/icons-react';
import { useContext } from 'react';
import { clipped } from '../../words/beginning.ts';
import { byteSize, exactTime, number } from '../../words/format.ts';
import { HazardText } from '../HazardText.tsx';
import classes from './cards.module.css';
import { KnownEvents } from './EventName.tsx';
import eventViewClasses from './EventView.module.css';
import { type MediaFile, type Place, type Poll, pollOf } from './message-content.ts';
import { RemoteImage } from './RemoteImage.tsx';
import { object } from './read-json.ts';
import { Said } from './Said.tsx';

const fileIcons = { video: IconVideo, audio: IconMusic, file: IconFile };
const fileWords = { video: /*i18n*/ 'Video', audio: /*i18n*/ 'Audio', file: /*i18n*/ 'File' };

/** An image to be shown on a click, or what its sender says about any other file. */
export function MediaCard({ media }: { media: MediaFile }) {
  const size = media.size === undefined ? undefined : byteSize(media.size);
  const name = clipped(media.name);
  if ((media.kind === 'image' || media.kind === 'sticker') && media.uri) {
    return <RemoteImage uri={media.uri} name={name} width={media.width} height={media.height} facts={size} />;
  }
  const kind = media.kind === 'image' || media.kind === 'sticker' ? 'file' : media.kind;
  const Icon = fileIcons[kind];
  const facts = [
    media.kind === kind ? i18n.t(fileWords[kind]) : i18n.t('Image'),
    clipped(media.mimetype ?? '', 100),
    playingTime(media),
    size,
  ].filter(Boolean);
  return (
    <div className={eventViewClasses.file}>
      <Icon size={22} stroke={1.4} aria-hidden />
      <div className={eventViewClasses.fileText}>
        <HazardText text={name} />
        <span className={eventViewClasses.note}>
          <HazardText text={facts.join(' · ')} />
          {media.encrypted && ` · ${i18n.t('encrypted for room members')}`}
        </span>
        {media.uri && (
          <code className={eventViewClasses.note}>
            <HazardText text={clipped(media.uri)} />
          </code>
        )}
      </div>
    </div>
  );
}

/** `1:05` or `1:02:03`, where its sender says how long it plays. */
function playingTime({ duration }: MediaFile): string | undefined {
  // Nothing that is sent plays for a hundred hours.
  if (duration === undefined || duration >= 360_000_000) return undefined;
  const seconds = Math.round(duration / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...others] = parts[0] ? parts : parts.slice(1);
  return [first, ...others.map((part) => String(part).padStart(2, '0'))].join(':');
}

/** A place by its coordinates. No map: loading one would tell a stranger where the moderator looks. */
export function PlaceView({ place }: { place: Place }) {
  const clipboard = useClipboard({ timeout: 1500 });
  const { coordinates, uri, description, own, live, at } = place;
  const copied = coordinates ? `${coordinates.latitude}, ${coordinates.longitude}` : uri;
  const facts = [
    live === undefined
      ? own
        ? i18n.t("Sender's location")
        : i18n.t('Location')
      : live
        ? i18n.t('Live location')
        : i18n.t('Live location ended'),
    coordinates?.uncertainty !== undefined &&
      i18n.t('within {meters} m', { meters: number(coordinates.uncertainty) }),
    coordinates?.altitude !== undefined &&
      i18n.t('altitude {meters} m', { meters: number(coordinates.altitude) }),
    at !== undefined && exactTime(at),
  ].filter(Boolean);
  return (
    <div className={eventViewClasses.file}>
      <IconMapPin size={22} stroke={1.4} aria-hidden />
      <div className={eventViewClasses.fileText}>
        {description && <HazardText text={clipped(description, 1000)} />}
        {coordinates ? (
          <span className={eventViewClasses.coordinates} dir="ltr">
            {degrees(coordinates.latitude)}, {degrees(coordinates.longitude)}
          </span>
        ) : (
          uri !== undefined && (
            <span className={eventViewClasses.note}>
              {i18n.t('Invalid location:')}{' '}
              <code>
                <HazardText text={clipped(uri)} />
              </code>
            </span>
          )
        )}
        <span className={eventViewClasses.note}>{facts.join(' · ')}</span>
      </div>
      {copied !== undefined && (
        <Button variant="default" onClick={() => clipboard.copy(copied)}>
          {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy')}
        </Button>
      )}
    </div>
  );
}

const degrees = (value: number) => `${value}°`;

/** What was voted, in words where the poll is known. */
export function ChosenAnswers({ of, ids }: { of: string | undefined; ids: string[] }) {
  const { eventOf } = useContext(KnownEvents);
  const poll = pollOf(object(eventOf(of ?? '')?.content) ?? {});
  const answers = ids.map((id) => poll?.answers.find((answer) => answer.id === id)?.text ?? id);
  return <Said text={answers.map((answer) => `“${answer}”`).join(', ')} />;
}

/** A poll as it was asked. Votes are events of their own. */
export function PollView({ poll }: { poll: Poll }) {
  const { question, answers, left, disclosed, most } = poll;
  return (
    <div className={classes.poll}>
      <strong className={classes.question}>
        <HazardText text={clipped(question, 1000) || i18n.t('Poll without question')} />
      </strong>
      <ul className={classes.answers} aria-label={i18n.t('Answers')}>
        {answers.map(({ id, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hostile identifiers can be the same, and answers stay in place
          <li key={index} title={id}>
            <HazardText text={clipped(text, 500) || i18n.t('(empty)')} />
          </li>
        ))}
      </ul>
      <span className={classes.note}>
        {[
          left > 0 && i18n.t('{left, plural, one {# more answer} other {# more answers}}', { left }),
          most > 1 && i18n.t('up to {most} choices', { most }),
          disclosed ? i18n.t('votes visible immediately') : i18n.t('votes visible at the end'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}
