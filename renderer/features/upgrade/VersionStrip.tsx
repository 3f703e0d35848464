import { i18n } from '@lingui/core';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import type { Stop, UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { planTitle, reachOf } from '../../../shared/upgrade/summary.ts';
import { compareVersions, parseVersion, type Version } from '../../../shared/upgrade/version.ts';
import classes from './VersionStrip.module.css';

// Positions of the plan's versions on the strip, and how far each can roll back.

type Reach = 'safe' | 'short' | 'none' | 'unknown';

type StripStop = {
  stop: Stop;
  /** Position from 0, the plan's start, to 1, its end. */
  at: number;
  /** Position of the earliest rollback target; undefined if none or unknown. */
  rollbackAt: number | undefined;
  /** Whether the target lies before the plan's start, so that `rollbackAt` is clamped to 0. */
  isBeyondStart: boolean;
  reach: Reach;
};

/** Spaces the plan's versions evenly; versions in between are interpolated by number. */
function stripStops({ from, stops }: UpgradePlan): StripStop[] {
  const points = [from, ...stops.map(({ version }) => version)].map(parseVersion);
  const place = (version: Version) => interpolate(version, points);
  return stops.map((stop, index) => {
    const earliest = stop.rollback_to === null ? undefined : parseVersion(stop.rollback_to);
    const goesBack = earliest && compareVersions(earliest, parseVersion(stop.version)) < 0;
    return {
      stop,
      at: (index + 1) / stops.length,
      rollbackAt: goesBack ? place(earliest) : undefined,
      isBeyondStart: goesBack === true && compareVersions(earliest, parseVersion(from)) < 0,
      reach: !earliest ? 'unknown' : stop.rollback.safe ? 'safe' : goesBack ? 'short' : 'none',
    };
  });
}

/** Returns a version's position on the strip; undefined if outside. */
function positionOnStrip(version: Version, { from, stops }: UpgradePlan): number | undefined {
  const points = [from, ...stops.map((stop) => stop.version)].map(parseVersion);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || compareVersions(version, first) < 0 || compareVersions(last, version) < 0) {
    return undefined;
  }
  return interpolate(version, points);
}

function interpolate(version: Version, points: readonly Version[]): number {
  const index = points.findLastIndex((point) => compareVersions(point, version) <= 0);
  const [before, after] = [points[index], points[index + 1]];
  if (!before) return 0;
  if (!after) return 1;
  const share = (ordinal(version) - ordinal(before)) / (ordinal(after) - ordinal(before));
  return (index + Math.min(1, Math.max(0, share))) / (points.length - 1);
}

const ordinal = ({ major, minor, patch }: Version) => major * 1e6 + minor * 1e3 + patch;

type Props = {
  plan: UpgradePlan;
  running: Version | undefined;
  doneStops: ReadonlySet<string>;
  nextStop: string | undefined;
  onOpen: (version: string) => void;
};

/** With more versions, labels alternate between two rows. */
const maxInOneRow = 10;
const arcHeight = 100;

/** Renders the versions on a line, with an arc from each to its earliest rollback target. */
export const VersionStrip = memo(function VersionStrip(props: Props) {
  const { plan, running, doneStops, nextStop, onOpen } = props;
  const stops = stripStops(plan);
  const [hovered, setHovered] = useState<string>();
  /** The last opened version; the caption keeps it until the plan advances. */
  const [chosen, setChosen] = useState<{ version: string; next: string | undefined }>();
  const buttons = useRef<HTMLDivElement>(null);
  const highlighted =
    stops.find(({ stop }) => stop.version === hovered) ??
    (chosen?.next === nextStop ? stops.find(({ stop }) => stop.version === chosen?.version) : undefined) ??
    stops.find(({ stop }) => stop.version === nextStop) ??
    stops.at(-1);
  const runningAt = running && positionOnStrip(running, plan);

  function onKeyDown(event: KeyboardEvent) {
    const all = [...(buttons.current?.querySelectorAll('button') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: all.length - 1,
    };
    const to = all[steps[event.key] ?? -1];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }

  return (
    <figure className={classes.strip} aria-label={`${i18n.t('Versions')}. ${planTitle(plan, i18n.t)}`}>
      <div className={classes.line} dir="ltr" data-dense={stops.length > maxInOneRow || undefined}>
        <svg
          className={classes.arcs}
          viewBox={`0 0 1000 ${arcHeight}`}
          preserveAspectRatio="none"
          aria-hidden
        >
          {stops.map((each) => (
            <Arc key={each.stop.version} {...each} highlighted={each === highlighted} />
          ))}
        </svg>
        <div className={classes.axis} />
        {runningAt !== undefined && (
          <span
            className={classes.here}
            style={{ insetInlineStart: percent(runningAt) }}
            title={i18n.t('Running version')}
          />
        )}
        {highlighted?.rollbackAt !== undefined && (
          <span
            className={classes.landing}
            style={{ insetInlineStart: percent(highlighted.rollbackAt) }}
            aria-hidden
          >
            {highlighted.isBeyondStart && '← '}
            {highlighted.stop.rollback_to}
          </span>
        )}
        <span className={classes.start} style={{ insetInlineStart: 0 }}>
          <span className={classes.dot} data-start />
          <span className={classes.name}>{plan.from}</span>
        </span>
        <div
          ref={buttons}
          role="toolbar"
          aria-label={i18n.t('Plan versions')}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setHovered(undefined)}
        >
          {stops.map((each, index) => (
            <button
              key={each.stop.version}
              type="button"
              className={classes.stop}
              style={{ insetInlineStart: percent(each.at) }}
              tabIndex={each === highlighted ? 0 : -1}
              data-reach={each.reach}
              data-done={doneStops.has(each.stop.version) || undefined}
              data-next={each.stop.version === nextStop || undefined}
              data-shown={each === highlighted || undefined}
              data-low={index % 2 === 0 || undefined}
              aria-label={[
                i18n.t('Version {position} of {count}: {version}.', {
                  position: index + 1,
                  count: stops.length,
                  version: each.stop.version,
                }),
                reachSentence(each),
                each.stop.rollback.text,
              ].join(' ')}
              onPointerEnter={() => setHovered(each.stop.version)}
              onFocus={() => setHovered(each.stop.version)}
              onBlur={() => setHovered(undefined)}
              onClick={() => {
                setChosen({ version: each.stop.version, next: nextStop });
                onOpen(each.stop.version);
              }}
            >
              <span className={classes.dot} />
              <span className={classes.name}>{each.stop.version}</span>
            </button>
          ))}
        </div>
      </div>
      <figcaption className={classes.caption}>
        {highlighted && (
          <span className={classes.sentence} data-reach={highlighted.reach}>
            <strong>v{highlighted.stop.version}</strong> {highlighted.stop.rollback.text}
            {highlighted.stop.rollback_from_source !== undefined &&
              ` ${i18n.t("Synapse's source: rollback to v{source}.", {
                source: highlighted.stop.rollback_from_source,
              })}`}
          </span>
        )}
        <span className={classes.legend} aria-hidden>
          <span data-reach="safe">{i18n.t('Rollback to previous version')}</span>
          <span data-reach="short">{i18n.t('Limited rollback')}</span>
          <span data-reach="none">{i18n.t('No rollback')}</span>
          <span data-reach="unknown">{i18n.t('Unknown')}</span>
        </span>
      </figcaption>
    </figure>
  );
});

function Arc({ at, rollbackAt, reach, highlighted }: StripStop & { highlighted: boolean }) {
  if (rollbackAt === undefined) return null;
  const [start, end] = [at * 1000, rollbackAt * 1000];
  const top = arcHeight * (0.88 - Math.min(0.8, 0.25 + (start - end) / 400));
  return (
    <path
      className={classes.arc}
      data-reach={reach}
      data-shown={highlighted || undefined}
      d={`M ${start} ${arcHeight} C ${start} ${top}, ${end} ${top}, ${end} ${arcHeight}`}
    />
  );
}

function reachSentence({ stop, reach }: StripStop): string {
  if (reach === 'unknown') return '';
  return reach === 'none'
    ? i18n.t("Can't roll back.")
    : i18n.t('Can roll back to {version}.', { version: reachOf(stop, i18n.t) });
}

const percent = (share: number) => `${share * 100}%`;
