import { i18n } from '@lingui/core';
import { Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { ConnectionFailure } from '../../shared/connection.ts';
import { maxNameLength } from '../components/Identity.tsx';
import { FailureMessage, FailureSentence, LoadingNote } from '../components/LoadStates.tsx';
import { SubjectPage } from '../components/page/SubjectPage.tsx';
import { failureSentence, NoSuchEndpoint, NotFound } from '../transport/refusal.ts';
import { ellipsize } from '../words/clip.ts';
import classes from './subjects.module.css';

type Query<Data> = {
  data: Data | undefined;
  error: Error | null;
  refetch: () => unknown;
};

type Props<Data> = {
  query: Query<Data>;
  /** Label while loading. */
  loading: string;
  /** Number of skeleton lines. */
  lines?: number;
  /** Shown if the server answers 404. */
  notFound: string;
  children: (data: Data) => ReactNode;
};

type LoadedScreenProps<Data> = {
  /** The heading until the data has loaded. */
  id: string;
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt' | 'isFetching' | 'refetch'>;
  loading: string;
  failed: string;
  /** Shown if the server answers 404. */
  notFound: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Shows a screen's data or, below the ID, that it's loading, missing or failed. */
export function LoadedScreen<Data>({
  id,
  query,
  loading,
  failed,
  notFound,
  children,
}: LoadedScreenProps<Data>) {
  const { data, error } = query;
  if (data !== undefined) return children(data);
  return (
    <SubjectPage
      name={ellipsize(id, maxNameLength)}
      id={id}
      badges={[]}
      query={query}
      actions={null}
      customLayout
    >
      {error instanceof NotFound ? (
        notFound
      ) : error ? (
        <FailureMessage title={failed} query={query} />
      ) : (
        <div className={classes.screen}>
          <LoadingNote text={loading} />
          <SkeletonLines count={12} />
        </div>
      )}
    </SubjectPage>
  );
}

const SkeletonLines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: skeleton lines
    <Skeleton key={index} height={12} width={`${70 - ((index * 17) % 40)}%`} />
  ));

/** The error that the screen shows once because several of its parts failed with it. */
export const SharedFailure = createContext<Error | undefined>(undefined);

/** Shows data, a skeleton or an error, independently of the rest of the screen. */
export function Loaded<Data>({ query, loading, lines = 0, notFound, children }: Props<Data>) {
  const { data, error } = query;
  const shared = useContext(SharedFailure);
  if (data !== undefined) return children(data);
  if (error instanceof NotFound) return <p className={classes.none}>{notFound}</p>;
  if (error instanceof NoSuchEndpoint) {
    return <p className={classes.none}>{i18n.t('Not supported by this server.')}</p>;
  }
  if (error && shared && failureSentence(error) === failureSentence(shared)) {
    return (
      <p className={classes.none}>
        <span aria-hidden>–</span>
        <VisuallyHidden>{i18n.t('Not loaded')}</VisuallyHidden>
      </p>
    );
  }
  if (error instanceof ConnectionFailure && error.code === 'unreachable') {
    return <p className={classes.none}>{i18n.t("Not loaded: the server isn't responding.")}</p>;
  }
  if (error) {
    return (
      <p className={classes.failure} role="alert">
        <FailureSentence error={error} />{' '}
        <UnstyledButton className={classes.link} onClick={() => query.refetch()}>
          {i18n.t('Retry')}
        </UnstyledButton>
      </p>
    );
  }
  return (
    <div className={classes.loading}>
      <output className={classes.dim}>{loading}</output>
      <SkeletonLines count={lines} />
    </div>
  );
}
