import type { ActedOn } from './subject.ts';

export type ActionBarProps = {
  on: ActedOn;
  /** Something was done or is under way, and the panel is closed. */
  onActed?: () => void;
  /** Keys and palette are another bar's. */
  quiet?: boolean;
};
