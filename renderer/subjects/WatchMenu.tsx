import { i18n } from '@lingui/core';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { caseKey, isWatched } from '../../shared/team/cases.ts';
import type { CaseSubject } from '../../shared/team/entries.ts';
import { changeCase } from '../actions/change-case.ts';
import { ButtonMenu } from '../components/ButtonMenu.tsx';
import { useServer } from '../console-context.ts';
import { useTeamValue } from '../team/use-team.ts';
import { mediumTimeFormat, shortDay } from '../words/format.ts';

const dayMs = 86_400_000;
const durations = [7, 30, 90] as const;

/** Puts a user or room on the team's watch list, which gives their cases a high priority for some time. */
export function WatchMenu({ subject, isShort = false }: { subject: CaseSubject; isShort?: boolean }) {
  const server = useServer();
  const decisions = useTeamValue(({ cases }) => cases.get(caseKey(subject)));
  const watched = isWatched(decisions, Date.now());
  const until = new Date(decisions?.watchedUntil ?? 0);

  function watch(days: number) {
    const time = Date.now() + days * dayMs;
    const done = i18n.t('On the watch list until {time}', { time: mediumTimeFormat().format(time) });
    changeCase(server, subject, { watchedUntil: time }, done);
  }
  const hint = i18n.t(
    'Reports on watched users and rooms have a high priority, and watchers announce them at once',
  );
  const icon = <IconEye size={14} stroke={1.7} aria-hidden />;
  return (
    <ButtonMenu
      button={
        isShort && !watched ? (
          <ActionIcon variant="default" size={26} aria-label={i18n.t('Watch')} title={hint}>
            {icon}
          </ActionIcon>
        ) : (
          <Button
            variant="default"
            size={isShort ? 'compact-sm' : 'compact-xs'}
            leftSection={icon}
            title={hint}
          >
            {watched ? i18n.t('Watched until {day}', { day: shortDay(until) }) : i18n.t('Watch')}
          </Button>
        )
      }
    >
      <Menu.Dropdown>
        {durations.map((days) => (
          <Menu.Item key={days} onClick={() => watch(days)}>
            {i18n.t('Watch for {count, plural, one {# day} other {# days}}', { count: days })}
          </Menu.Item>
        ))}
        {watched && (
          <Menu.Item
            onClick={() =>
              changeCase(server, subject, { watchedUntil: null }, i18n.t('Removed from the watch list'))
            }
          >
            {i18n.t('Stop watching')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
