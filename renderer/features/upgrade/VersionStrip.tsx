import { i18n } from '@lingui/core';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import type { Stop, UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { planTitle, reachOf } from '../../../shared/upgrade/summary.ts';
import { compareVersions, parseVersion, type Version } from '../../../shared/upgrade/version.ts';
import classes from './VersionStrip.module.css';

// Where the versions of a plan stand on its strip, and how far back from each stop one can go.

type Reach = 'safe' | 'short' | 'none' | 'unknown';

type StripStop = {
  stop: Stop;
  /** From 0, the version that the plan begins with, to 1, the one it ends with. */
  at: number;
  /** Where the earliest version lies that one can go back to; undefined where that is nowhere or unknown. */
  backTo: number | undefined;
  /** Whether that version lies before the strip begins, so that `backTo` is its edge. */
  beyond: boolean;
  reach: Reach;
};

/**
 * Versions of the plan are spaced evenly: what counts is their order and what lies between them. A version
 * between two of them stands where its number lies between theirs.
 */
function stripStops({ from, stops }: UpgradePlan): StripStop[] {
  const points = [from, ...stops.map(({ version }) => version)].map(parseVersion);
  const place = (version: Version) => placeOf(version, points);
  return stops.map((stop, index) => {
    const earliest = stop.rollback_to === null ? undefined : parseVersion(stop.rollback_to);
    const goesBack = earliest && compareVersions(earliest, parseVersion(stop.version)) < 0;
    return {
      stop,
      at: (index + 1) / stops.length,
      backTo: goesBack ? place(earliest) : undefined,
      beyond: goesBack === true && compareVersions(earliest, parseVersion(from)) < 0,
      reach: !earliest ? 'unknown' : stop.rollback.safe ? 'safe' : goesBack ? 'short' : 'none',
    };
  });
}

/** Where a version stands on the strip of a plan; undefined where it is off the strip. */
function placeOnStrip(version: Version, { from, stops }: UpgradePlan): number | undefined {
  const points = [from, ...stops.map((stop) => stop.version)].map(parseVersion);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || compareVersions(version, first) < 0 || compareVersions(last, version) < 0) {
    return undefined;
  }
  return placeOf(version, points);
}

function placeOf(version: Version, points: readonly Version[]): number {
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
  /** The version that the server runs, where that is known. */
  running: Version | undefined;
  /** Versions of the stops that are done with. */
  doneStops: ReadonlySet<string>;
  /** The version of the stop that comes next. */
  nextStop: string | undefined;
  onOpen: (version: string) => void;
};

/** More than these can't have their names side by side. */
const mostInOneRow = 10;
const arcHeight = 100;

/** The versions as a line: the stops, and an arc from each back to the earliest version it can go back to. */
export const VersionStrip = memo(function VersionStrip(props: Props) {
  const { plan, running, doneStops, nextStop, onOpen } = props;
  const stops = stripStops(plan);
  const [pointed, setPointed] = useState<string>();
  const buttons = useRef<HTMLDivElement>(null);
  const shown =
    stops.find(({ stop }) => stop.version === pointed) ??
    stops.find(({ stop }) => stop.version === nextStop) ??
    stops.at(-1);
  const here = running && placeOnStrip(running, plan);

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
      <div className={classes.line} dir="ltr" data-dense={stops.length > mostInOneRow || undefined}>
        <svg
          className={classes.arcs}
          viewBox={`0 0 1000 ${arcHeight}`}
          preserveAspectRatio="none"
          aria-hidden
        >
          {stops.map((each) => (
            <Arc key={each.stop.version} {...each} shown={each === shown} />
          ))}
        </svg>
        <div className={classes.axis} />
        {here !== undefined && (
          <span
            className={classes.here}
            style={{ insetInlineStart: percent(here) }}
            title={i18n.t('Running version')}
          />
        )}
        {shown?.backTo !== undefined && (
          <span className={classes.landing} style={{ insetInlineStart: percent(shown.backTo) }} aria-hidden>
            {shown.beyond && '← '}
            {shown.stop.rollback_to}
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
          onPointerLeave={() => setPointed(undefined)}
        >
          {stops.map((each, index) => (
            <button
              key={each.stop.version}
              type="button"
              className={classes.stop}
              style={{ insetInlineStart: percent(each.at) }}
              tabIndex={each === shown ? 0 : -1}
              data-reach={each.reach}
              data-done={doneStops.has(each.stop.version) || undefined}
              data-next={each.stop.version === nextStop || undefined}
              data-shown={each === shown || undefined}
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
              onPointerEnter={() => setPointed(each.stop.version)}
              onFocus={() => setPointed(each.stop.version)}
              onBlur={() => setPointed(undefined)}
              onClick={() => onOpen(each.stop.version)}
            >
              <span className={classes.dot} />
              <span className={classes.name}>{each.stop.version}</span>
            </button>
          ))}
        </div>
      </div>
      <figcaption className={classes.caption}>
        {shown && (
          <span className={classes.sentence} data-reach={shown.reach}>
            <strong>v{shown.stop.version}</strong> {shown.stop.rollback.text}
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

function Arc({ at, backTo, reach, shown }: StripStop & { shown: boolean }) {
  if (backTo === undefined) return null;
  const [start, end] = [at * 1000, backTo * 1000];
  const top = arcHeight * (0.88 - Math.min(0.8, 0.25 + (start - end) / 400));
  return (
    <path
      className={classes.arc}
      data-reach={reach}
      data-shown={shown || undefined}
      d={`M ${start} ${arcHeight} C ${start} ${top}, ${end} ${top}, ${end} ${arcHeight}`}
    />
  );
}

function reachSentence({ stop, reach }: StripStop): string {
  if (reach === 'unknown') return '';
  return reach === 'none'
    ? i18n.t("Can't roll back.")
    : i18n.t('Can roll back to {version}.', { version: reachOf(stop.rollback_to, i18n.t) });
}

const percent = (share: number) => `${share * 100}%`;
