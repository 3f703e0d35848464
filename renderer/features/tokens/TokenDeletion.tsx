import { i18n } from '@lingui/core';
import { Button, Popover } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteToken, registrationTokensQuery } from '../../api/registration-tokens.ts';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { useServer } from '../../console-context.ts';
import { NotFound } from '../../transport/refusal.ts';
import classes from './Tokens.module.css';

/** Deletes tokens after one question; the first refusal ends it. */
export function TokenDeletion({ tokens, onDeleted }: { tokens: readonly string[]; onDeleted: () => void }) {
  const server = useServer();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const count = tokens.length;
  const remove = useMutation({
    async mutationFn() {
      for (const token of tokens) {
        await deleteToken(server, token).catch((error) => {
          // Someone else was faster.
          if (!(error instanceof NotFound)) throw error;
        });
      }
    },
    onSuccess() {
      setAsked(false);
      onDeleted();
    },
    onSettled: () => queryClient.invalidateQueries(registrationTokensQuery(server)),
  });
  const label = i18n.t('{count, plural, one {Delete token} other {Delete # tokens}}', { count });
  return (
    <Popover
      opened={isAsked}
      onChange={setAsked}
      position="bottom-start"
      width="22rem"
      shadow="md"
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          aria-haspopup="dialog"
          aria-expanded={isAsked}
          leftSection={<IconTrash size={14} stroke={1.7} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <div className={classes.question}>
          <p>
            {i18n.t(
              '{count, plural, one {Nobody can register with it any more; who did stays. It does not come back.} other {Nobody can register with them any more; who did stays. They do not come back.}}',
              { count },
            )}
          </p>
          {remove.error && (
            <p role="alert" className={classes.failure}>
              {failureSentence(remove.error)}
            </p>
          )}
          <div className={classes.buttons}>
            <Button
              className={classes.destructive}
              loading={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {label}
            </Button>
            <Button variant="default" onClick={() => setAsked(false)}>
              {i18n.t('Cancel')}
            </Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
