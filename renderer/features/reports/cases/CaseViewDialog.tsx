import { i18n } from '@lingui/core';
import { Checkbox, Modal, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { useServer } from '../../../console-context.ts';
import type { ViewDialogProps } from '../../../team/SavedViews.tsx';
import { maxPosition, maxTarget, maxViewName } from '../../../team/saved-views.ts';
import { useColleagues } from '../../../team/use-colleagues.ts';
import { useRoleLimit } from '../../../team/use-role.ts';
import classes from './CaseFilters.module.css';
import { CaseFilterFields, type RoomChoice } from './CaseFilters.tsx';
import { filterNames, readCaseFilters } from './case-search.ts';

type Props = ViewDialogProps & {
  rooms: readonly RoomChoice[];
  /** Position of a new queue. */
  position: number;
};

/** Asks for the name and filters of a view of cases, and whether the team uses it as a queue. */
export function CaseViewDialog({ initial, rooms, position, onSave, onClose }: Props) {
  const me = useServer().connection.userId;
  const limit = useRoleLimit('lead');
  const colleagues = useColleagues();
  const [name, setName] = useState(initial.name);
  const [search, setSearch] = useState(initial.search);
  const [isQueue, setQueue] = useState(initial.queue !== undefined);
  const [queue, setDetails] = useState(initial.queue ?? { position, people: [] });
  const filters = readCaseFilters(search);
  const people = [...new Set([me, ...colleagues, ...queue.people])];
  // The state of cases and their order aren't part of a queue.
  const filtersOnly = Object.fromEntries(filterNames.map((each) => [each, filters[each]]));
  return (
    <Modal opened onClose={onClose} title={i18n.t('Save view')} size="lg">
      <ConfirmForm
        label={i18n.t('Save view')}
        disabled={name.trim() === ''}
        onSubmit={() => {
          onSave(isQueue ? { name: name.trim(), search: filtersOnly, queue } : { name: name.trim(), search });
          onClose();
        }}
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label={i18n.t('Name')}
          description={i18n.t('Saves filters and order. Shared with the team if there is a team room.')}
          maxLength={maxViewName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
        />
        <TextInput
          label={i18n.t('Words')}
          description={i18n.t('In names, IDs and reasons')}
          value={filters.text ?? ''}
          onChange={(event) => setSearch({ ...search, text: event.currentTarget.value || undefined })}
          autoComplete="off"
        />
        <CaseFilterFields
          filters={filters}
          rooms={rooms}
          onChange={(changes) => setSearch({ ...search, ...changes })}
        />
        <Switch
          label={i18n.t('Use as queue')}
          description={limit ?? i18n.t('Open and escalated cases are in the first queue that they match.')}
          disabled={limit !== undefined}
          checked={isQueue}
          onChange={(event) => setQueue(event.currentTarget.checked)}
        />
        {isQueue && (
          <>
            <Checkbox.Group
              label={i18n.t('Moderators')}
              value={[...queue.people]}
              onChange={(next) => setDetails({ ...queue, people: next })}
            >
              <div className={classes.people}>
                {people.map((userId) => (
                  <Checkbox key={userId} size="xs" value={userId} label={<HazardText text={userId} />} />
                ))}
              </div>
            </Checkbox.Group>
            <div className={classes.fields}>
              <TextInput
                type="number"
                label={i18n.t('Target time (minutes)')}
                min={1}
                max={maxTarget}
                defaultValue={queue.target}
                onChange={(event) => {
                  const { target: _target, ...others } = queue;
                  const target = Math.min(Math.floor(event.currentTarget.valueAsNumber), maxTarget);
                  setDetails(target >= 1 ? { ...others, target } : others);
                }}
              />
              <TextInput
                type="number"
                label={i18n.t('Position')}
                min={1}
                max={maxPosition}
                defaultValue={queue.position}
                onChange={(event) => {
                  const position = Math.floor(event.currentTarget.valueAsNumber) || 1;
                  setDetails({ ...queue, position: Math.min(Math.max(position, 1), maxPosition) });
                }}
              />
            </div>
          </>
        )}
      </ConfirmForm>
    </Modal>
  );
}
