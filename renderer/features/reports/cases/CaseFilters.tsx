import { i18n } from '@lingui/core';
import { Checkbox, NativeSelect } from '@mantine/core';
import { HazardText } from '../../../components/HazardText.tsx';
import { severityName } from '../../../team/case-words.ts';
import { ruleName } from '../../../team/rule-names.ts';
import { useTeamRules } from '../rules/rule-facts.ts';
import classes from './CaseFilters.module.css';
import { type CaseFilters, caseKinds, minimumSeverities } from './case-search.ts';
import { type Script, scripts } from './script.ts';

export type RoomChoice = { roomId: string; name: string };

type Props = {
  filters: CaseFilters;
  /** Rooms of the cases. */
  rooms: readonly RoomChoice[];
  onChange: (changes: Partial<CaseFilters>) => void;
};

const kindNames = { user: /*i18n*/ 'User', room: /*i18n*/ 'Room', event: /*i18n*/ 'Event' };

const scriptNames: Record<Script, string> = {
  latin: /*i18n*/ 'Latin',
  cyrillic: /*i18n*/ 'Cyrillic',
  arabic: /*i18n*/ 'Arabic',
  chinese: /*i18n*/ 'Chinese',
  japanese: /*i18n*/ 'Japanese',
  korean: /*i18n*/ 'Korean',
  devanagari: /*i18n*/ 'Devanagari',
  hebrew: /*i18n*/ 'Hebrew',
  greek: /*i18n*/ 'Greek',
  thai: /*i18n*/ 'Thai',
  other: /*i18n*/ 'Other script',
};

/** Fields for the filters of cases, except words. */
export function CaseFilterFields({ filters, rooms, onChange }: Props) {
  const { rules } = useTeamRules();
  const { kind, severity, script, rule, rooms: chosen = [] } = filters;
  const choices = [
    ...rooms,
    ...chosen
      .filter((roomId) => !rooms.some((room) => room.roomId === roomId))
      .map((roomId) => ({ roomId, name: roomId })),
  ];
  const rating = rules.filter(({ on, effects, key }) => (on && effects.severity) || key === rule);
  return (
    <div className={classes.fields}>
      <NativeSelect
        size="xs"
        label={i18n.t('Case about')}
        value={kind ?? ''}
        data={[
          { value: '', label: i18n.t('Any subject') },
          ...caseKinds.map((value) => ({ value, label: i18n.t(kindNames[value]) })),
        ]}
        onChange={(event) =>
          onChange({ kind: caseKinds.find((value) => value === event.currentTarget.value) })
        }
      />
      <NativeSelect
        size="xs"
        label={i18n.t('Minimum severity')}
        value={severity ?? ''}
        data={[
          { value: '', label: i18n.t('Any severity') },
          ...minimumSeverities.map((value) => ({ value, label: severityName(value) })),
        ]}
        onChange={(event) =>
          onChange({ severity: minimumSeverities.find((value) => value === event.currentTarget.value) })
        }
      />
      <NativeSelect
        size="xs"
        label={i18n.t('Script')}
        title={i18n.t("Of the message, or of the reason if the message isn't loaded")}
        value={script ?? ''}
        data={[
          { value: '', label: i18n.t('Any script') },
          ...scripts.map((value) => ({ value, label: i18n.t(scriptNames[value]) })),
        ]}
        onChange={(event) =>
          onChange({ script: scripts.find((value) => value === event.currentTarget.value) })
        }
      />
      <NativeSelect
        size="xs"
        label={i18n.t('Rule')}
        value={rule ?? ''}
        data={[
          { value: '', label: i18n.t('Any rule or none') },
          ...rating.map((each) => ({ value: each.key, label: ruleName(each) })),
        ]}
        onChange={(event) => onChange({ rule: event.currentTarget.value || undefined })}
      />
      {choices.length > 0 && (
        <Checkbox.Group
          size="xs"
          label={i18n.t('Rooms')}
          value={chosen}
          onChange={(next) => onChange({ rooms: next.length > 0 ? next : undefined })}
        >
          <div className={classes.rooms}>
            {choices.map(({ roomId, name }) => (
              <Checkbox
                key={roomId}
                size="xs"
                value={roomId}
                label={<HazardText text={name} />}
                title={roomId}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </div>
  );
}
