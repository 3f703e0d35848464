import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import type { ConfigurationProblem } from '../../../../shared/workbench/configuration.ts';
import classes from './Configuration.module.css';

type Place = Pick<ConfigurationProblem, 'line' | 'column'>;

type Props = { problems: readonly ConfigurationProblem[]; onChoose: (place: Place) => void };

/** What the server has to say of the text; each leads to its place. */
export function Problems({ problems, onChoose }: Props) {
  return (
    <ul className={classes.problems} aria-label={i18n.t('Problems')}>
      {problems.map((problem) => {
        const { line, column, sentence } = problem;
        return (
          <li key={`${line} ${column} ${sentence}`}>
            <Problem problem={problem} onChoose={() => onChoose({ line, column })} />
          </li>
        );
      })}
    </ul>
  );
}

type ProblemProps = { problem: ConfigurationProblem; onChoose: () => void };

function Problem({ problem: { severity, line, setting, sentence }, onChoose }: ProblemProps) {
  return (
    <UnstyledButton className={classes.problem ?? ''} onClick={onChoose}>
      <span className={classes.severity} data-severity={severity}>
        {severity === 'error' ? i18n.t('Error') : i18n.t('Warning')}
      </span>
      <span className={classes.place}>
        {i18n.t('Line {line}', { line })}
        {setting && ` · ${setting}`}
      </span>
      <span className={classes.sentence}>{sentence}</span>
    </UnstyledButton>
  );
}
