import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconArrowUpRight, IconHistory, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { hasQuarantineChangesQuery } from '../../api/quarantine-changes.ts';
import { roomOfAlias } from '../../api/room-list.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { parseMediaUri } from '../../components/pasted-id.ts';
import { useCommands, useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './Media.module.css';

/** Renders a field that opens media by user, room or URI, and links to related pages. */
export function MediaNavigation() {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const server = useServer();
  const find = useMutation({ mutationFn: (alias: string) => roomOfAlias(server, alias) });
  const hasChanges = useQuery(hasQuarantineChangesQuery(server)).data === true;
  const openRoom = (roomId: string) => navigate({ to: '/media/rooms/$roomId', params: { roomId } });

  useCommands([
    {
      id: 'open media of',
      label: i18n.t('Open user or room media'),
      group: i18n.t('Media'),
      keys: ['g'],
      icon: <IconArrowUpRight size={17} stroke={1.6} />,
      run: () => field.current?.focus(),
    },
    {
      id: 'clean up media',
      label: i18n.t('Clean up media'),
      group: i18n.t('Media'),
      icon: <IconTrash size={17} stroke={1.6} />,
      run: () => navigate({ to: '/media/clean-up' }),
    },
  ]);

  // Ignores the result if the user types on or leaves: `reset` drops the callbacks.
  const findRoom = (alias: string) =>
    find.mutate(alias, {
      onError: (error) => setError(failureSentence(error)),
      onSuccess: (roomId) =>
        roomId === undefined ? setError(i18n.t('Room alias not found')) : openRoom(roomId),
    });

  function open(event: FormEvent) {
    event.preventDefault();
    const text = typed.trim();
    const upload = parseMediaUri(text);
    if (upload) navigate({ to: '/media/uploads/$origin/$mediaId', params: upload });
    else if (/^@\S+:\S+$/.test(text)) navigate({ to: '/media/users/$userId', params: { userId: text } });
    else if (/^!\S+$/.test(text)) openRoom(text);
    else if (/^#\S+:\S+$/.test(text)) findRoom(text);
    else setError(i18n.t('Enter a user ID, room ID, alias or mxc URI.'));
  }

  return (
    <form className={classes.ways} onSubmit={open}>
      <TextInput
        ref={field}
        className={classes.way}
        aria-label={i18n.t('User, room or file')}
        placeholder="@user:… !room:… #room:… mxc://…"
        value={typed}
        error={error}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(undefined);
          find.reset();
        }}
        spellCheck={false}
        autoComplete="off"
      />
      <Button type="submit" variant="default" loading={find.isPending}>
        {i18n.t('Open media')}
      </Button>
      <span className={classes.related}>
        {hasChanges && (
          <ButtonWithIcon
            variant="default"
            icon={IconHistory}
            renderRoot={(props) => <Link to="/media/quarantine-changes" {...props} />}
          >
            {i18n.t('Quarantine changes')}
          </ButtonWithIcon>
        )}
        <ButtonWithIcon
          variant="default"
          icon={IconTrash}
          renderRoot={(props) => <Link to="/media/clean-up" {...props} />}
        >
          {i18n.t('Clean up')}
        </ButtonWithIcon>
      </span>
    </form>
  );
}
