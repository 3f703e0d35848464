import { FieldInput } from './FieldInput.tsx';
import { tellRoom } from './public-reason.ts';

type Props = { isPublic: boolean; onChange: (isPublic: boolean) => void };

/** Whether the people in the room read the reason, too. */
export const PublicReason = ({ isPublic, onChange }: Props) => (
  <FieldInput
    field={{
      kind: 'flag',
      name: tellRoom,
      label: /*i18n*/ 'Also show the reason in the room',
      initial: false,
    }}
    value={isPublic}
    onChange={(value) => onChange(value === true)}
  />
);
