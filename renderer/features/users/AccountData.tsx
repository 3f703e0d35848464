import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type AccountDatum, accountDataQuery } from '../../api/account-data.ts';
import { Disclosure } from '../../components/Disclosure.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { JsonViewer } from '../../components/json/JsonViewer.tsx';
import { SearchField } from '../../components/table/SearchField.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import subject from '../../subjects/subjects.module.css';
import { clipped } from '../../words/beginning.ts';
import { byteSize } from '../../words/format.ts';
import classes from './Users.module.css';

const step = 100;

/** What somebody's clients keep on the server: how much, the largest first, and each as data on request. */
export function AccountData({ userId }: { userId: string }) {
  const query = useQuery(accountDataQuery(useServer(), userId));
  const { find } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const [shown, setShown] = useState(step);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Loaded query={query} loading={i18n.t('Loading account data…')} gone={i18n.t('No known account data')}>
      {(data) => {
        if (data.length === 0) return <p className={classes.note}>{i18n.t('No account data')}</p>;
        const wanted = find?.toLowerCase() ?? '';
        const found = data.filter(({ type, roomId }) => `${type} ${roomId}`.toLowerCase().includes(wanted));
        return (
          <>
            <div className={classes.kept}>
              <SearchField
                label={i18n.t('Search types and rooms')}
                value={find}
                onChange={(next) => navigate({ search: (current) => ({ ...current, find: next }) })}
                inputRef={field}
              />
              {i18n.t('{count, plural, one {# entry} other {# entries}}, {size} of JSON', {
                count: data.length,
                size: byteSize(data.reduce((sum, { size }) => sum + size, 0)),
              })}
            </div>
            <ul className={classes.data} aria-label={i18n.t('Account data')}>
              {found.slice(0, shown).map((datum) => (
                <li key={`${datum.roomId} ${datum.type}`}>
                  <Datum datum={datum} />
                </li>
              ))}
              {found.length > shown && (
                <li>
                  <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + step)}>
                    {i18n.t('Show more')}
                  </Button>
                </li>
              )}
            </ul>
          </>
        );
      }}
    </Loaded>
  );
}

function Datum({ datum: { type, roomId, size, content } }: { datum: AccountDatum }) {
  return (
    <Disclosure
      label={<HazardText text={clipped(type, 200)} />}
      facts={
        <>
          {byteSize(size)}
          {roomId !== undefined && (
            <>
              {' · '}
              <span className={subject.dim}>
                <HazardText text={clipped(roomId, 200)} />
              </span>
            </>
          )}
        </>
      }
    >
      <JsonViewer value={content} label={clipped(type, 100)} />
    </Disclosure>
  );
}
