import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconMapPin } from '@tabler/icons-react';
import { clipped } from '../../words/beginning.ts';
import { number } from '../../words/format.ts';
import { HazardText } from '../HazardText.tsx';
import { exactTime } from '../time.ts';
import classes from './EventView.module.css';
import type { Place } from './place.ts';

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
    <div className={classes.file}>
      <IconMapPin size={22} stroke={1.4} aria-hidden />
      <div className={classes.fileText}>
        {description && <HazardText text={clipped(description, 1000)} />}
        {coordinates ? (
          <span className={classes.coordinates} dir="ltr">
            {degrees(coordinates.latitude)}, {degrees(coordinates.longitude)}
          </span>
        ) : (
          uri !== undefined && (
            <span className={classes.note}>
              {i18n.t('Invalid location:')}{' '}
              <code>
                <HazardText text={clipped(uri)} />
              </code>
            </span>
          )
        )}
        <span className={classes.note}>{facts.join(' · ')}</span>
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
