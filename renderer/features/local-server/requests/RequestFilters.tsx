import { i18n } from '@lingui/core';
import { NativeSelect, TextInput } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import classes from './Requests.module.css';
import { isFiltered, type RequestSearch } from './request-search.ts';

type Props = {
  search: RequestSearch;
  change: (changes: Partial<RequestSearch>) => unknown;
  methods: readonly string[];
  pathField: RefObject<HTMLInputElement | null>;
};

const noFilter = { path: undefined, status: undefined, method: undefined, user: undefined };

export function RequestFilters({ search, change, methods, pathField }: Props) {
  return (
    <>
      <TextInput
        ref={pathField}
        className={classes.pathFilter ?? ''}
        aria-label={i18n.t('Path')}
        placeholder={i18n.t('Path')}
        value={search.path ?? ''}
        onChange={(event) => change({ path: event.currentTarget.value || undefined })}
        spellCheck={false}
      />
      <NativeSelect
        size="xs"
        aria-label={i18n.t('Method')}
        value={search.method ?? ''}
        onChange={(event) => change({ method: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: i18n.t('Any method') },
          ...new Set([...methods, ...(search.method ? [search.method] : [])]),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label={i18n.t('Status')}
        value={String(search.status ?? '')}
        onChange={(event) =>
          change({ status: event.currentTarget.value ? Number(event.currentTarget.value) : undefined })
        }
        data={[
          { value: '', label: i18n.t('Any status') },
          { value: '2', label: i18n.t('2xx: success') },
          { value: '3', label: i18n.t('3xx: redirect') },
          { value: '4', label: i18n.t('4xx: client error') },
          { value: '5', label: i18n.t('5xx: server error') },
        ]}
      />
      <TextInput
        className={classes.userFilter ?? ''}
        aria-label={i18n.t('User')}
        placeholder={i18n.t('User')}
        value={search.user ?? ''}
        onChange={(event) => change({ user: event.currentTarget.value || undefined })}
        spellCheck={false}
      />
      {isFiltered(search) && (
        <ButtonWithIcon variant="subtle" icon={IconFilterOff} onClick={() => change(noFilter)}>
          {i18n.t('All requests')}
        </ButtonWithIcon>
      )}
    </>
  );
}
