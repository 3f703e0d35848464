import type { Action, Known } from './action.ts';
import type { ActedOn } from './subject.ts';

export type ActionBarProps = {
  on: ActedOn;
  /** What it is on is on its way: its keys wait for it. */
  isComing?: boolean;
  /** Something was done or is under way, and the panel is closed; its reports are `reviewed` by that, or not. */
  onActed?: (how: { reviewed: boolean }) => void;
  /** Of these actions only. */
  only?: readonly Action['id'][];
  /** What the screen knows already of the one thing that is acted on. */
  known?: Pick<Known, 'media' | 'redacted'>;
  /** Keys and palette are another bar's. */
  quiet?: boolean;
};
