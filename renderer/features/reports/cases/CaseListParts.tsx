import { i18n } from '@lingui/core';
import { Button, Kbd } from '@mantine/core';
import { IconArrowUp, IconCircleCheck, IconFolders } from '@tabler/icons-react';
import { FailureMessage, StateMessage } from '../../../components/LoadStates.tsx';
import { ScanBar } from '../../../components/ScanBar.tsx';
import { useConsole } from '../../../console-context.ts';
import { number } from '../../../words/format.ts';
import { ReportListSkeleton } from '../desk/Row.tsx';
import { ModerationMenu } from '../ModerationMenu.tsx';
import classes from './Cases.module.css';
import type { useCases } from './use-cases.ts';

type HeadingProps = { cases: ReturnType<typeof useCases>; onShowNew: () => void };

/** Shows the number of reports scanned for the cases, and new ones. */
export function CasesHeading({ cases: { rows, scan, arrived, sort, isLoading }, onShowNew }: HeadingProps) {
  const { commands } = useConsole();
  const { looked, total, isComplete } = scan;
  return (
    <>
      <div className={classes.heading}>
        <output className={classes.total} aria-label={i18n.t('Matching cases')}>
          {!isLoading && i18n.t('{count, plural, one {# case} other {# cases}}', { count: rows.length })}
        </output>
        {sort && (
          <Button variant="subtle" size="compact-xs" onClick={sort}>
            {i18n.t('Sort cases')}
          </Button>
        )}
        {arrived > 0 && (
          <Button
            variant="light"
            size="compact-xs"
            leftSection={<IconArrowUp size={12} />}
            rightSection={
              commands.keyWorks('.') && (
                <Kbd size="xs" aria-hidden>
                  .
                </Kbd>
              )
            }
            onClick={onShowNew}
          >
            {i18n.t('{count, plural, one {# new report} other {# new reports}}', { count: arrived })}
          </Button>
        )}
        <ModerationMenu />
      </div>
      {!isLoading && (!isComplete || scan.error) && (
        <ScanBar
          summary={i18n.t('Cases of the newest {looked} of {total} reports', {
            looked: number(looked),
            total: number(total),
          })}
          error={scan.error}
          isRunning={scan.goesOn}
          progress={{ value: looked, max: total }}
          isComplete={isComplete}
          onStop={scan.stop}
          onContinue={scan.further}
        />
      )}
    </>
  );
}

type BodyProps = {
  cases: ReturnType<typeof useCases>;
  queue: string;
  isFiltered: boolean;
  children: React.ReactNode;
};

/** The list, or the reason why it's empty. */
export function CasesBody({
  cases: { rows, all, isLoading, error, refetch },
  queue,
  isFiltered,
  children,
}: BodyProps) {
  if (error && all.length === 0) {
    return (
      <FailureMessage
        title={i18n.t("Couldn't load reports")}
        query={{ error, refetch, isFetching: isLoading }}
      />
    );
  }
  if (isLoading) return <ReportListSkeleton />;
  if (rows.length > 0) return children;
  if (isFiltered)
    return (
      <StateMessage
        icon={<IconFolders size={24} stroke={1.5} />}
        title={i18n.t('No matching cases')}
        description={i18n.t('No results in this queue.')}
      />
    );
  return (
    <StateMessage
      icon={<IconCircleCheck size={24} stroke={1.5} />}
      title={queue === 'open' ? i18n.t('No open cases') : i18n.t('No cases in this queue')}
      description={
        queue === 'open'
          ? i18n.t('All reports are resolved, escalated or waiting.')
          : i18n.t('Cases with this status appear here.')
      }
    />
  );
}
