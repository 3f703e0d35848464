import type { Answers } from './action.ts';

/** The field that says whether the room reads the reason, too. */
export const tellRoom = 'tellRoom';

/** The reason as far as it is for the people in the room. */
export const publicReason = ({ reason, fields }: Answers): string | undefined =>
  fields[tellRoom] && reason !== '' ? reason : undefined;
