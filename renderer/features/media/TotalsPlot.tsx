import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useId, useSyncExternalStore } from 'react';
import { Type } from 'typebox';
import type { UserTotal } from '../../api/media.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { useConsole } from '../../console-context.ts';
import { byteSize, number } from '../../words/format.ts';
import classes from './TotalsPlot.module.css';

type Props = { users: readonly UserTotal[]; from: string | undefined; until: string | undefined };

/** Renders the top uploaders as a bar chart that is a table. */
export function TotalsPlot({ users, from, until }: Props) {
  const saved = useConsole().kept.open('gatehouse.media.plot', Type.Boolean(), true);
  const isOpen = useSyncExternalStore(saved.subscribe, saved.read);
  const content = useId();
  const mostBytes = Math.max(1, ...users.map((user) => user.media_length));
  const mostUploads = Math.max(1, ...users.map((user) => user.media_count));
  const title = i18n.t('Top uploaders');
  const bar = (user: UserTotal, figure: string, share: number, order: 'media_length' | 'created_ts') => (
    <td className={classes.figure}>
      <Link
        to="/media/users/$userId"
        params={{ userId: user.user_id }}
        search={({ server }) => ({ server, from, until, order, dir: 'b' as const })}
        className={classes.link}
      >
        <span className={classes.bar} style={{ '--share': share } as CSSProperties} aria-hidden />
        <span className={classes.number}>{figure}</span>
      </Link>
    </td>
  );
  return (
    <div className={classes.plot}>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={content}
        onClick={() => saved.write(!isOpen)}
      >
        <IconChevronRight size={13} className={classes.chevron} aria-hidden />
        {title}
      </UnstyledButton>
      <div id={content} hidden={!isOpen}>
        {isOpen && (
          <table className={classes.table} aria-label={title}>
            <thead className={classes.head}>
              <tr>
                <th scope="col">{i18n.t('User')}</th>
                <th scope="col">{i18n.t('Size')}</th>
                <th scope="col">{i18n.t('Files')}</th>
              </tr>
            </thead>
            <tbody>
              {users.map((user) => (
                <tr key={user.user_id}>
                  <th scope="row" className={classes.who}>
                    {user.displayname && (
                      <>
                        <HazardText text={user.displayname} />{' '}
                      </>
                    )}
                    <span className={classes.id}>
                      <HazardText text={user.user_id} />
                    </span>
                  </th>
                  {bar(user, byteSize(user.media_length), user.media_length / mostBytes, 'media_length')}
                  {bar(user, number(user.media_count), user.media_count / mostUploads, 'created_ts')}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}
