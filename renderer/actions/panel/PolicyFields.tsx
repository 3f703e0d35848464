import { i18n } from '@lingui/core';
import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { type Answers, common } from '../../../shared/team/action-inputs.ts';
import { type KeyedPolicy, recommended, strikeUnder, templateIn } from '../../../shared/team/policies.ts';
import { activeStrikes, totalWeight } from '../../../shared/team/strikes.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { stepText, strikesText } from '../../team/policy-words.ts';
import { useTeam } from '../../team/use-team.ts';
import { truncate } from '../../words/clip.ts';
import { shortDay } from '../../words/format.ts';
import type { Field } from '../action.ts';
import { type Item, userOf } from '../items.ts';
import classes from './ActionPanel.module.css';
import { addStrike } from './policy-answers.ts';

type Props = {
  policies: readonly KeyedPolicy[];
  items: readonly Item[];
  fields: Answers['fields'];
  /** The field of the message to the user. The policy's template fills it, unless the admin typed one. */
  message: Field | undefined;
  onField: (name: string, value: string | boolean) => void;
};

/** The policy that an action is based on, the strike that it adds, and the policy's recommendations. */
export function PolicyFields({ policies, items, fields, message, onField }: Props) {
  const policy = policies.find(({ key }) => key === fields[common.policy]);
  const users = new Set(items.flatMap((item) => userOf(item) ?? []));
  const [filledIn, setFilledIn] = useState('');
  function choose(key: string) {
    onField(common.policy, key);
    if (!message || fields[message.name] !== filledIn) return;
    const chosen = policies.find((each) => each.key === key);
    const template = (chosen && templateIn(chosen, i18n.locale)) ?? '';
    setFilledIn(template);
    onField(message.name, template);
  }
  return (
    <>
      <NativeSelect
        size="xs"
        label={i18n.t('Policy')}
        data={[
          { value: '', label: i18n.t('No policy') },
          ...policies.map(({ key, name }) => ({ value: key, label: truncate(name, 100) })),
        ]}
        value={policy?.key ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {users.size > 0 && <Strikes policy={policy} users={[...users]} fields={fields} onField={onField} />}
    </>
  );
}

type StrikesProps = Pick<Props, 'fields' | 'onField'> & {
  policy: KeyedPolicy | undefined;
  users: readonly string[];
};

function Strikes({ policy, users, fields, onField }: StrikesProps) {
  const team = useTeam();
  const now = Date.now();
  const [userId, ...others] = users;
  const active =
    userId !== undefined && others.length === 0
      ? activeStrikes(team.timeline({ kind: 'user', userId }), now)
      : undefined;
  const strike = policy && strikeUnder(policy, now);
  const isAdded = strike !== undefined && fields[addStrike] !== false;
  const count = active && totalWeight(active) + (isAdded ? strike.weight : 0);
  const step = policy && count !== undefined ? recommended(policy, count) : undefined;
  return (
    <>
      {active && active.length > 0 && <p className={classes.note}>{strikesText(active)}</p>}
      {strike && (
        <Checkbox
          size="xs"
          label={
            strike.until === null
              ? i18n.t('Add {count, plural, one {# strike} other {# strikes}}, no expiry', {
                  count: strike.weight,
                })
              : i18n.t('Add {count, plural, one {# strike} other {# strikes}} until {day}', {
                  count: strike.weight,
                  day: shortDay(new Date(strike.until)),
                })
          }
          checked={isAdded}
          onChange={(event) => onField(addStrike, event.currentTarget.checked)}
        />
      )}
      {step && (
        <p className={classes.recommended}>
          <HazardText
            text={i18n.t('Recommended at {count, plural, one {# strike} other {# strikes}}: {step}', {
              count: count ?? 0,
              step: stepText(step),
            })}
          />
        </p>
      )}
    </>
  );
}
