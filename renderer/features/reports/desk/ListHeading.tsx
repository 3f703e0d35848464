import { i18n } from '@lingui/core';
import { Button, Kbd, Loader } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { keyWorks } from '../../../components/commands.ts';
import { useCommands } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import classes from './ListHeading.module.css';

type Props = {
  /** How many match, in words; nothing while that isn't known. */
  count: string | false | undefined;
  /** What could not be loaded, in words, and why. */
  trouble: { what: ReactNode; why: Error } | undefined;
  onRetry: () => unknown;
  isFetching: boolean;
  /** So many came in since the list was opened, and where in it they stand. */
  arrived: number;
  end: 'top' | 'bottom';
  onShowNew: () => unknown;
  /** What leads elsewhere from here. */
  children: ReactNode;
};

/** How many match and how fresh that is. */
export function ListHeading({ count, trouble, isFetching, arrived, end, ...props }: Props) {
  const label = i18n.t('{count, plural, one {# new report} other {# new reports}}', { count: arrived });
  useCommands(
    arrived > 0
      ? [
          {
            id: 'show new',
            label: i18n.t('Load {count, plural, one {# new report} other {# new reports}}', {
              count: arrived,
            }),
            group: i18n.t('Reports'),
            keys: ['.'],
            icon: <IconRefresh size={17} stroke={1.6} />,
            run: () => void props.onShowNew(),
          },
        ]
      : [],
  );
  return (
    <div className={classes.heading}>
      <output className={classes.count} aria-label={i18n.t('Matching reports')}>
        {count}
      </output>
      {trouble ? (
        <span className={classes.stale} title={failureSentence(trouble.why)} role="alert">
          {trouble.what}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRefresh size={12} />}
            onClick={() => void props.onRetry()}
          >
            {i18n.t('Retry')}
          </Button>
        </span>
      ) : (
        isFetching && <Loader size={12} role="img" aria-label={i18n.t('Refreshing')} />
      )}
      <output>
        {arrived > 0 && (
          <Button
            variant="light"
            size="compact-xs"
            leftSection={end === 'top' ? <IconArrowUp size={12} /> : <IconArrowDown size={12} />}
            rightSection={
              keyWorks('.') && (
                <Kbd size="xs" aria-hidden>
                  .
                </Kbd>
              )
            }
            onClick={() => void props.onShowNew()}
          >
            {label}
          </Button>
        )}
      </output>
      {props.children}
    </div>
  );
}
