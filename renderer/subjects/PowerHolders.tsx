import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roomStateQuery } from '../api/room.ts';
import { powersOf } from '../components/event/power-levels.ts';
import { useServer } from '../console-context.ts';
import { number } from '../words/format.ts';
import { PersonChip } from './chips.tsx';
import { Fact, Facts } from './Facts.tsx';
import { Loaded } from './Loaded.tsx';
import classes from './subjects.module.css';

/** A state longer than this, memberships included, is only asked for on request. */
const cheap = 1_000;
const mostListed = 30;

type Props = { roomId: string; stateEvents: number | undefined; sender: string | null };

/** Who may do more in the room than others. */
export function PowerHolders({ roomId, stateEvents, sender }: Props) {
  const [wanted, setWanted] = useState(stateEvents !== undefined && stateEvents <= cheap);
  const query = useQuery({ ...roomStateQuery(useServer(), roomId), enabled: wanted });
  if (!wanted) {
    return (
      <Button variant="subtle" size="compact-xs" onClick={() => setWanted(true)} className={classes.ask}>
        {stateEvents === undefined
          ? i18n.t('Load power levels')
          : i18n.t('Load power levels ({count} state events)', { count: number(stateEvents) })}
      </Button>
    );
  }
  return (
    <Loaded query={query} loading={i18n.t('Loading power levels…')} gone={i18n.t('No room state')}>
      {(state) => {
        const { holders, usual, redact, ban } = powersOf(state);
        const senderPower = sender === null ? undefined : holders.find(({ userId }) => userId === sender);
        return (
          <Facts>
            <Fact name={i18n.t('Power levels')}>
              <div className={classes.stack}>
                {holders.length === 0 && (
                  <span className={classes.dim}>{i18n.t('No privileged members')}</span>
                )}
                <ul className={classes.chips}>
                  {holders.slice(0, mostListed).map(({ userId, level }) => (
                    <li key={userId}>
                      <PersonChip kind={i18n.t('Privileged member')} id={userId} />{' '}
                      <span className={classes.dim}>
                        {level === 'creator' ? i18n.t('creator') : number(level)}
                      </span>
                    </li>
                  ))}
                </ul>
                <span className={classes.dim}>
                  {i18n.t('Default: {usual}. Redacting needs {redact}, banning {ban}.', {
                    usual: number(usual),
                    redact: number(redact),
                    ban: number(ban),
                  })}{' '}
                  {senderPower && i18n.t('Includes the sender.')}
                </span>
              </div>
            </Fact>
          </Facts>
        );
      }}
    </Loaded>
  );
}
