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
import { ellipsize } from '../../words/clip.ts';
import { byteSize } from '../../words/format.ts';
import classes from './Users.module.css';

const pageSize = 100;

/** Lists the user's account data, largest first. */
export function AccountData({ userId }: { userId: string }) {
  const query = useQuery(accountDataQuery(useServer(), userId));
  const { find } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const [limit, setLimit] = useState(pageSize);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading account data…')}
      notFound={i18n.t('No known account data')}
    >
      {(data) => {
        if (data.length === 0) return <p className={classes.note}>{i18n.t('No account data')}</p>;
        const needle = find?.toLowerCase() ?? '';
        const matches = data.filter(({ type, roomId }) => `${type} ${roomId}`.toLowerCase().includes(needle));
        return (
          <>
            <div className={classes.toolbar}>
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
            <ul className={classes.accountData} aria-label={i18n.t('Account data')}>
              {matches.slice(0, limit).map((datum) => (
                <li key={`${datum.roomId} ${datum.type}`}>
                  <Datum datum={datum} />
                </li>
              ))}
              {matches.length > limit && (
                <li>
                  <Button variant="subtle" size="compact-xs" onClick={() => setLimit(limit + pageSize)}>
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
      label={<HazardText text={ellipsize(type, 200)} />}
      facts={
        <>
          {byteSize(size)}
          {roomId !== undefined && (
            <>
              {' · '}
              <span className={subject.dim}>
                <HazardText text={ellipsize(roomId, 200)} />
              </span>
            </>
          )}
        </>
      }
    >
      <JsonViewer value={content} label={ellipsize(type, 100)} />
    </Disclosure>
  );
}
