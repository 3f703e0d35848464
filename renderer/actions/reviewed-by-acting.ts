import { Type } from 'typebox';
import { persisted } from '../persisted.ts';

/** The field that says whether the reports that something is done about are marked reviewed by it. */
export const markReviewed = 'markReviewed';

/** What was chosen last on this machine. */
export const reviewsByActing = () => persisted('gatehouse.actions.reviews', Type.Boolean(), true);
