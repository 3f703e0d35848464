/** The type of an action. `catalogue/` defines all of them; bar, panel, jobs and tray work with any. */
import type { Icon } from '@tabler/icons-react';
import { Type } from 'typebox';
import type { Answers } from '../../shared/team/action-inputs.ts';
import type { Role } from '../../shared/team/roles.ts';
import type { RuleTerms } from '../api/policy-lists/policy-rules.ts';
import type { Room } from '../api/room.ts';
import type { Endpoint, Offered } from '../api/supported-endpoints.ts';
import type { Unredacted } from '../api/unredacted.ts';
import type { User } from '../api/user.ts';
import type { ConsoleContext } from '../console-context.ts';
import type { Server } from '../transport/server.ts';
import type { Item, ItemOf, Kind } from './items.ts';

/** The current input of a panel, its items, and the known state of a single item. */
export type Form = {
  server: Server;
  offered: Pick<Offered, 'has'>;
  items: readonly Item[];
  known: ItemState;
  /** The server admins among the users. */
  administrators: readonly string[];
  fields: Answers['fields'];
};

type Conditional = {
  /** Whether the field is shown; default: always. */
  isShown?(form: Form): boolean;
};

type Checked = {
  /** Returns the message for invalid input; undefined if valid. */
  faultOf?(value: string, form: Form): string | undefined;
};

export type Field = Conditional & FieldOfKind;

type FieldOfKind =
  | { kind: 'flag'; name: string; label: string; note?: string; initial: boolean }
  | {
      kind: 'number';
      name: string;
      label: string;
      note?: string;
      initial: number;
      least: number;
      most: number;
    }
  /** One line; `from` returns the initial value. */
  | (Checked & {
      kind: 'line';
      name: string;
      label: string;
      note?: string;
      required: boolean;
      from?: (known: ItemState) => string;
    })
  /** An mxc URI, from an upload. */
  | (Checked & {
      kind: 'picture';
      name: string;
      label: string;
      note: string;
      from: (known: ItemState) => string;
    })
  | {
      kind: 'choice';
      name: string;
      label: string;
      initial: Initial;
      /** A function returns labels that aren't messages, such as names of rooms. */
      options: readonly Option[] | ((server: Server) => readonly Option[]);
    }
  /** A local date and time, as `2026-11-21T18:30`. */
  | { kind: 'moment'; name: string; label: string; note?: string; required: boolean }
  /** Multiple lines, optionally from a template. */
  | {
      kind: 'text';
      name: string;
      label: string;
      note?: string;
      required: boolean;
      initial?: Initial;
      templates?: 'notice';
    };

type Option = { value: string; label: string };
type Initial = string | ((known: ItemState, server: Server) => string);

/** Messages with `{count}` and, for a single item, its `{name}`. */
export type Words = {
  /** The action's effect. */
  will: string;
  /** The part that can't be undone. */
  lost?: string;
  doing: string;
  done: string;
  undone?: string;
};

export type KnownMedium = { quarantinedBy?: string; isProtected: boolean; isThumbnail?: boolean };

/** The known state of a single item; undefined while it loads. */
export type ItemState = {
  user?: User | undefined;
  room?: Room | undefined;
  blocked?: boolean | undefined;
  /** Membership of the one user in the one room. */
  membership?: string | undefined;
  /** Whether the one user can't send in the one room; null if the admin can't see it. */
  muted?: boolean | null | undefined;
  /** Whether the one event was redacted already. */
  redacted?: boolean | undefined;
  /** Whether some of the one user's uploads are in quarantine. */
  quarantined?: boolean | undefined;
  /** The one rule of a policy list. */
  rule?: RuleTerms | undefined;
  /** The servers that a policy list bans. */
  deniedServers?: readonly string[] | undefined;
  /** States of the one upload, or of all uploads of the one event, by MXC URI. */
  media?: ReadonlyMap<string, KnownMedium> | undefined;
  /** Display name of the one device. */
  deviceName?: string | undefined;
  /** The user is the acting admin. */
  own?: boolean;
};

export type ActionContext = Pick<ConsoleContext, 'queryClient' | 'deletedReports'> & { server: Server };

export type Work = Pick<ActionContext, 'server' | 'deletedReports'> & {
  /** The action's `id`. */
  action: string;
  /** Idempotency key: stays the same in a retry. */
  transaction: string;
  /**
   * Returns the state before the change, for the undo. If the first request may have arrived, a retry gets the state
   * from before that request. Stored as JSON.
   */
  first<Before>(read: () => Promise<Before>): Promise<Before>;
  /** Schedules a task for the end of the run, once per name. */
  afterRun(name: string, task: () => Promise<unknown>): void;
};

/** The result for one item. */
type ItemResult = {
  /** For the log. */
  detail?: string;
  /** Number of files, for actions on all media of a user or room. */
  media?: number;
  /** When a permission expires, in milliseconds since the Unix epoch. */
  until?: number;
  /** ID of the task that continues it on the server. */
  task?: string;
  /** The events that couldn't be redacted; their reports stay open. */
  unredacted?: Unredacted[];
  /** Data for the undo; stored as JSON. */
  undo?: unknown;
  /** Nothing changed: an undo would revert another admin's change. */
  unchanged?: boolean;
  /** Changed since the first request was sent, by that request or by another admin. */
  unsure?: boolean;
  /** Shown once and never stored. */
  secret?: string;
};

/** A preview of the action's effect, from the server. */
export type Forecast = {
  /** Translated sentences. */
  sentences: string[];
  /** Nothing to do, or already running: the action is disabled. */
  idle?: boolean;
  /** Room or user with a related task to link to. */
  taskOf?: string;
};

/** The progress of a task on the server. */
export type Progress =
  /** `isQueued`: the server hasn't started it. */
  | { state: 'active'; isQueued?: boolean }
  | { state: 'done'; failures: Readonly<Record<string, string>> }
  | { state: 'failed'; error: string };

/** A run, as `onRun` sees it. */
export type ActiveRun<K extends Kind = Kind> = {
  unfinished(): readonly ItemOf<K>[];
};

export type Action<K extends Kind = Kind> = {
  /** Stored in the team's log and in jobs. */
  id: string;
  /** The least role that it's offered to. */
  role: Role;
  /** A message with `{count}` and `{users}`, for the button, menu, palette and log. */
  label: string;
  /** Its effect, next to the label in the menu. */
  hint: string;
  kind: K;
  /** Section of the menu. */
  group: 'event' | 'report' | 'user' | 'room' | 'server';
  icon: Icon;
  words: Words;
  /** As `KeyboardEvent.key` gives it. */
  key?: string;
  /** Gets a button first; actions with a key fill the remaining space. */
  usual?: true;
  /** Endpoints that the server must have. */
  needs: readonly Endpoint[];
  /** Whether there is something to do; default: always. */
  applies?(known: ItemState): boolean;
  /** The same for one media file; undefined while its state loads. */
  appliesTo?(medium: KnownMedium | undefined): boolean;
  /** Whether the action supports this item; default: all of its kind. */
  accepts?(item: ItemOf<K>): boolean;
  /** Only for local users and media. */
  localOnly?: true;
  /** Reveals a secret once: single item, never stored. */
  shownOnce?: true;
  /** Single item: its fields start with that item's values. */
  oneOnly?: true;
  /** Changes credentials: not offered for the own account in the desktop app, which refuses it. */
  takesOver?: true;
  /** Restricts the user: leaves protected accounts out of several, and asks again for a single one. */
  harms?: true;
  /** Intended for server admins, who are otherwise protected. */
  isForAdmins?: true;
  /** Offers to resolve the item's other open reports. */
  resolvesReports?: true;
  /** Needs this power level in the room; the server can make the admin a room admin. */
  power?: 'redact' | 'kick' | 'ban' | 'mute' | 'rules' | 'acl';
  /** The reason can also be shown to the room. */
  publicReason?: true;
  /** Removes messages or media: offers to hold evidence first. */
  removesEvidence?: true;
  /** Earlier changes to the item can no longer be undone. */
  endsItem?: true;
  /** Can't be undone; shown in red. */
  destructive?: true;
  /** Requires typing the name or count; `many`: for more than one item, `over 20`: for more than 20. */
  typed?: true | 'many' | 'over 20';
  fields?: readonly Field[];
  /** Runs the chosen ones in order; the flag field that chooses a step has its `id` as name. */
  steps?: readonly Action[];
  /** Only resolves reports: a step that isn't logged, as the marks are. */
  onlyMarks?: true;
  /** Parts of query keys to invalidate, besides the item's own. */
  changes?: readonly string[];
  /** Returns the text that is sent to the item. */
  preview?(server: Server, item: ItemOf<K>, answers: Answers): string;
  forecast?(server: Server, item: ItemOf<K>, answers: Answers, signal: AbortSignal): Promise<Forecast>;
  run(work: Work, item: ItemOf<K>, answers: Answers): Promise<ItemResult>;
  /** ID of the action that reverses it: offers a time limit. */
  inverse?: string;
  /** Called when a run begins. The returned function is called when it ends or a newer run continues the job. */
  onRun?(context: ActionContext, run: ActiveRun<K>): Promise<(isOver: boolean) => void>;
  undo?(work: Work, item: ItemOf<K>, stored: unknown): Promise<void>;
  progress?(server: Server, task: string): Promise<Progress>;
  /** Returns the events that a finished task left unredacted; `failures` are the task's own. */
  check?(
    server: Server,
    item: ItemOf<K>,
    answers: Answers,
    failures: Readonly<Record<string, string>>,
  ): Promise<Unredacted[]>;
};

/** Type-checks an action by its kind, and returns it for the list of all kinds. */
export const action = <K extends Kind>(entry: Action<K>): Action => entry as unknown as Action;

/** Name of the field that resolves the action's reports. */
export const markReviewed = 'markReviewed';

/** The last choice of that field; stored on this device for all servers. */
export const reviewsByActing = ({ deviceStorage }: Server) =>
  deviceStorage.open('gatehouse.actions.reviews', Type.Boolean(), true);
