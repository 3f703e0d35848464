import { i18n } from '@lingui/core';
import classes from './Severity.module.css';

/** Scores that clients fill in unasked. */
const defaults = new Set([0, -100]);

/** Renders the reporter's score, from 0 to -100; nothing for default scores. */
export function Severity({ score }: { score: number | null }) {
  if (score === null || defaults.has(score)) return null;
  const share = Math.min(1, Math.max(0, -score / 100));
  return (
    <span
      className={classes.severity}
      title={i18n.t('Score {score} (-100: most offensive, 0: inoffensive)', { score })}
    >
      <span className={classes.track}>
        <span
          className={classes.fill}
          data-level={share > 0.75 ? 4 : share > 0.5 ? 3 : share > 0.25 ? 2 : 1}
          style={{ width: `${Math.max(8, share * 100)}%` }}
        />
      </span>
      <span className={classes.number}>
        <bdi dir="ltr">{score < 0 ? `−${-score}` : score}</bdi>
      </span>
    </span>
  );
}
