import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isExpected } from '../api/lenient.ts';
import { roomMembersQuery } from '../api/room.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { useServer } from '../console-context.ts';
import { PersonChip } from './chips.tsx';
import { Loaded } from './Loaded.tsx';
import classes from './subjects.module.css';

const step = 30;

/** Everyone in the room; a big room has many, so they are asked for on request. */
export function RoomMembers({ roomId, label }: { roomId: string; label: string }) {
  return (
    <Disclosure label={label}>
      <Members roomId={roomId} />
    </Disclosure>
  );
}

function Members({ roomId }: { roomId: string }) {
  const query = useQuery(roomMembersQuery(useServer(), roomId));
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState(step);
  return (
    <Loaded query={query} loading={i18n.t('Loading members…')} gone={i18n.t('No known members')}>
      {({ rows }) => {
        const members = rows.filter(isExpected);
        const wanted = typed.trim().toLowerCase();
        const found = wanted ? members.filter((id) => id.toLowerCase().includes(wanted)) : members;
        return (
          <div className={classes.stack}>
            {members.length > step && (
              <TextInput
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                placeholder={i18n.t('Part of a user ID')}
                aria-label={i18n.t('Find member')}
              />
            )}
            <ul className={classes.chips}>
              {found.slice(0, shown).map((id) => (
                <li key={id}>
                  <PersonChip kind={i18n.t('Member')} id={id} />
                </li>
              ))}
            </ul>
            {found.length === 0 && <span className={classes.dim}>{i18n.t('No matches')}</span>}
            {found.length > shown && (
              <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + 10 * step)}>
                {i18n.t('Show {left, plural, other {# more}}', {
                  left: found.length - shown,
                })}
              </Button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
