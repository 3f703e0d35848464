import { i18n } from '@lingui/core';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { caseKey } from '../../../../shared/team/cases.ts';
import { changeCase } from '../../../actions/change-case.ts';
import { ButtonMenu } from '../../../components/ButtonMenu.tsx';
import { inSentence } from '../../../components/text-hazards.ts';
import { useServer } from '../../../console-context.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import { shortId } from '../../../words/clip.ts';
import { mediumTimeFormat, shortDay } from '../../../words/format.ts';

const dayMs = 86_400_000;
const durations = [30, 365] as const;

/** Mutes a reporter for the team: their reports don't raise the priority of cases or reopen decided ones. */
export function MuteReporter({ reporter }: { reporter: string }) {
  const server = useServer();
  const subject = { kind: 'user', userId: reporter } as const;
  const until = useTeamValue((team) => team.cases.get(caseKey(subject))?.reporterMutedUntil ?? 0);
  const isMuted = until > Date.now();
  const name = inSentence(shortId(reporter, serverName(server.connection)));
  const timeOf = (time: number) => mediumTimeFormat().format(time);

  function mute(days: number) {
    const time = Date.now() + days * dayMs;
    const done = i18n.t('Reports by {name} muted until {time}', { name, time: timeOf(time) });
    changeCase(server, subject, { reporterMutedUntil: time }, done);
  }
  const hint = i18n.t("A muted reporter's reports don't raise priority or reopen cases");
  return (
    <ButtonMenu
      button={
        isMuted ? (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconBellOff size={13} stroke={1.7} aria-hidden />}
            title={hint}
          >
            {i18n.t('Muted until {day}', { day: shortDay(new Date(until)) })}
          </Button>
        ) : (
          <ActionIcon
            size={22}
            aria-label={i18n.t('Mute reporter')}
            title={`${i18n.t('Mute reporter')}\n${hint}`}
          >
            <IconBellOff size={14} stroke={1.7} aria-hidden />
          </ActionIcon>
        )
      }
    >
      <Menu.Dropdown>
        {isMuted ? (
          <Menu.Item
            onClick={() =>
              changeCase(
                server,
                subject,
                { reporterMutedUntil: null },
                i18n.t('Reports by {name} unmuted', { name }),
              )
            }
          >
            {i18n.t('Unmute reporter')}
          </Menu.Item>
        ) : (
          durations.map((days) => (
            <Menu.Item key={days} onClick={() => mute(days)}>
              {i18n.t('Mute for {count, plural, one {# day} other {# days}}', { count: days })}
            </Menu.Item>
          ))
        )}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
