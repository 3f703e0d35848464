import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconFile, IconMapPin, IconMusic, IconVideo } from '@tabler/icons-react';
import { useContext } from 'react';
import { ellipsize } from '../../words/clip.ts';
import { byteSize, number } from '../../words/format.ts';
import { HazardText } from '../HazardText.tsx';
import { Thumbnail } from '../media/Thumbnail.tsx';
import { exactTime } from '../time.ts';
import classes from './cards.module.css';
import { EventLookupContext, QuotedText } from './EventReference.tsx';
import { type GeoLocation, type MediaFile, type Poll, readPoll } from './message-content.ts';
import { RemoteImage } from './RemoteImage.tsx';
import { object } from './read-json.ts';

const fileIcons = { video: IconVideo, audio: IconMusic, file: IconFile };
const fileWords = { video: /*i18n*/ 'Video', audio: /*i18n*/ 'Audio', file: /*i18n*/ 'File' };

/** Renders an image that loads on click, or the metadata of any other file. */
export function MediaCard({ media }: { media: MediaFile }) {
  const size = media.size === undefined ? undefined : byteSize(media.size);
  const name = ellipsize(media.name);
  if ((media.kind === 'image' || media.kind === 'sticker') && media.uri) {
    return (
      <RemoteImage
        uri={media.uri}
        name={name}
        width={media.width}
        height={media.height}
        facts={size}
        glimpse
      />
    );
  }
  const kind = media.kind === 'image' || media.kind === 'sticker' ? 'file' : media.kind;
  const Icon = fileIcons[kind];
  const facts = [
    media.kind === kind ? i18n.t(fileWords[kind]) : i18n.t('Image'),
    ellipsize(media.mimetype ?? '', 100),
    playingTime(media),
    size,
  ].filter(Boolean);
  return (
    <div className={classes.file}>
      {media.poster ? (
        <Thumbnail uri={media.poster} size={64} />
      ) : (
        <Icon size={22} stroke={1.4} aria-hidden />
      )}
      <div className={classes.fileText}>
        <HazardText text={name} />
        <span className={classes.note}>
          <HazardText text={facts.join(' · ')} />
          {media.encrypted && ` · ${i18n.t('encrypted for room members')}`}
        </span>
        {media.uri && (
          <code className={classes.note}>
            <HazardText text={ellipsize(media.uri)} />
          </code>
        )}
      </div>
    </div>
  );
}

/** Formats a duration as `1:05` or `1:02:03`. */
function playingTime({ duration }: MediaFile): string | undefined {
  // More than a hundred hours can't be true.
  if (duration === undefined || duration >= 360_000_000) return undefined;
  const seconds = Math.round(duration / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...others] = parts[0] ? parts : parts.slice(1);
  return [first, ...others.map((part) => String(part).padStart(2, '0'))].join(':');
}

/** Renders a location as coordinates. Loading a map would reveal to its provider which location the moderator views. */
export function PlaceView({ place }: { place: GeoLocation }) {
  const clipboard = useClipboard({ timeout: 1500 });
  const { coordinates, uri, description, isSelf, isLive, at } = place;
  const copyText = coordinates ? `${coordinates.latitude}, ${coordinates.longitude}` : uri;
  const facts = [
    isLive === undefined
      ? isSelf
        ? i18n.t("Sender's location")
        : i18n.t('Location')
      : isLive
        ? i18n.t('Live location')
        : i18n.t('Live location ended'),
    coordinates?.uncertainty !== undefined &&
      i18n.t('within {meters} m', { meters: number(coordinates.uncertainty) }),
    coordinates?.altitude !== undefined &&
      i18n.t('altitude {meters} m', { meters: number(coordinates.altitude) }),
    at !== undefined && exactTime(at),
  ].filter(Boolean);
  return (
    <div className={classes.file}>
      <IconMapPin size={22} stroke={1.4} aria-hidden />
      <div className={classes.fileText}>
        {description && <HazardText text={ellipsize(description, 1000)} />}
        {coordinates ? (
          <span className={classes.coordinates} dir="ltr">
            {degrees(coordinates.latitude)}, {degrees(coordinates.longitude)}
          </span>
        ) : (
          uri !== undefined && (
            <span className={classes.note}>
              {i18n.t('Invalid location:')}{' '}
              <code>
                <HazardText text={ellipsize(uri)} />
              </code>
            </span>
          )
        )}
        <span className={classes.note}>{facts.join(' · ')}</span>
      </div>
      {copyText !== undefined && (
        <Button variant="default" onClick={() => clipboard.copy(copyText)}>
          {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy')}
        </Button>
      )}
    </div>
  );
}

const degrees = (value: number) => `${value}°`;

/** Renders votes as the poll's answers, or as IDs if the poll isn't loaded. */
export function ChosenAnswers({ of, ids }: { of: string | undefined; ids: string[] }) {
  const { eventOf } = useContext(EventLookupContext);
  const poll = readPoll(object(eventOf(of ?? '')?.content) ?? {});
  const answers = ids.map((id) => poll?.answers.find((answer) => answer.id === id)?.text ?? id);
  return <QuotedText text={answers.map((answer) => `“${answer}”`).join(', ')} />;
}

/** Renders a poll without its votes, which are separate events. */
export function PollView({ poll }: { poll: Poll }) {
  const { question, answers, extraAnswers, isDisclosed, maxChoices } = poll;
  return (
    <div className={classes.poll}>
      <strong className={classes.question}>
        <HazardText text={ellipsize(question, 1000) || i18n.t('Poll without question')} />
      </strong>
      <ul className={classes.answers} aria-label={i18n.t('Answers')}>
        {answers.map(({ id, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hostile IDs may repeat, and answers keep their order
          <li key={index} title={id}>
            <HazardText text={ellipsize(text, 500) || i18n.t('(empty)')} />
          </li>
        ))}
      </ul>
      <span className={classes.note}>
        {[
          extraAnswers > 0 &&
            i18n.t('{left, plural, one {# more answer} other {# more answers}}', { left: extraAnswers }),
          maxChoices > 1 && i18n.t('up to {most} choices', { most: maxChoices }),
          isDisclosed ? i18n.t('votes visible immediately') : i18n.t('votes visible at the end'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}
