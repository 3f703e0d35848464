/** What an action is. The catalogue is a list of them; everything else works with whichever there are. */
import type { Icon } from '@tabler/icons-react';
import { Type } from 'typebox';
import type { Endpoint, Offered } from '../api/offered.ts';
import type { Room } from '../api/room.ts';
import type { Unredacted } from '../api/unredacted.ts';
import type { User } from '../api/user.ts';
import type { ConsoleContext } from '../console-context.ts';
import type { Server } from '../transport/server.ts';
import type { Item, ItemOf, Kind } from './items.ts';

/** What a person said before it was done: the reason, and what the action's own fields ask for. */
export type Answers = { reason: string; fields: Readonly<Record<string, string | number | boolean>> };

/** What stands in a form so far, what it is about, and what is known of that, where it is one. */
export type Form = {
  server: Server;
  offered: Pick<Offered, 'has'>;
  items: readonly Item[];
  known: Known;
  /** Which of the users are server admins. */
  administrators: readonly string[];
  fields: Answers['fields'];
};

type Asked = {
  /** Whether it is asked for at all; without it, it always is. */
  asked?(form: Form): boolean;
};

type Checked = {
  /** Why what was typed can't be sent: a sentence of the catalogue of words; undefined where it can. */
  faultOf?(value: string, form: Form): string | undefined;
};

export type Field = Asked & FieldOfKind;

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
  /** One line; `from` gives what stands there at first, of the one that is acted on. */
  | (Checked & {
      kind: 'line';
      name: string;
      label: string;
      note?: string;
      required: boolean;
      from?: (known: Known) => string;
    })
  /** A picture's address on the server, which one can upload one for. */
  | (Checked & {
      kind: 'picture';
      name: string;
      label: string;
      note: string;
      from: (known: Known) => string;
    })
  | {
      kind: 'choice';
      name: string;
      label: string;
      initial: string;
      options: readonly { value: string; label: string }[];
    }
  /** A moment, as `2026-11-21T18:30` in the person's own time. */
  | { kind: 'moment'; name: string; label: string; note?: string; required: boolean }
  /** Several lines, from a template where there are some. */
  | { kind: 'text'; name: string; label: string; note?: string; required: boolean; templates?: 'notice' };

/** Messages with `{count}` and, for a single item, its `{name}`. */
export type Words = {
  /** What will happen. */
  will: string;
  /** What can't come back. */
  lost?: string;
  /** While it goes on. */
  doing: string;
  done: string;
  /** After it was undone. */
  undone?: string;
};

/** How an upload stands. */
export type KnownMedium = { quarantinedBy?: string; isProtected: boolean; isThumbnail?: boolean };

/** What is known of the one user, room or upload that is acted on; undefined while it isn't known. */
export type Known = {
  user?: User | undefined;
  room?: Room | undefined;
  blocked?: boolean | undefined;
  /** Of the one user in the one room. */
  membership?: string | undefined;
  /** Whether the one event was redacted already. */
  redacted?: boolean | undefined;
  /** Whether some of the one user's uploads are in quarantine. */
  quarantined?: boolean | undefined;
  /** Of the one upload, or of all of the one event, by their addresses. */
  media?: ReadonlyMap<string, KnownMedium> | undefined;
  /** The user is the one who acts. */
  own?: boolean;
};

export type Surroundings = Pick<ConsoleContext, 'queryClient' | 'deletedReports'> & { server: Server };

export type Work = Pick<Surroundings, 'server' | 'deletedReports'> & {
  /** What is done, by the action's `id`. */
  action: string;
  /** Names what is done to this item, and stays the same when it is tried again. */
  transaction: string;
  /**
   * What there is before the change, which its undo needs: read once. Where the change may have arrived already, and is
   * made again, it is what was read then. It is kept as JSON.
   */
  first<Before>(read: () => Promise<Before>): Promise<Before>;
  /** Has a task run once, by its name, when nothing more of the job is to be done here. */
  atEnd(name: string, task: () => Promise<unknown>): void;
};

/** What one item's work came to. */
type Done = {
  /** For the log. */
  detail?: string;
  /** How many pictures and files it was, where it is as many as there are. */
  media?: number;
  /** What was allowed ends then, in milliseconds since the Unix epoch. */
  until?: number;
  /** It goes on on the server, under this id. */
  task?: string;
  /** The events that were to be redacted and can still be read; their reports stay open. */
  unredacted?: Unredacted[];
  /** What the undo needs; kept as JSON. */
  undo?: unknown;
  /** It was so before: to take it back would take back what somebody else did. */
  unchanged?: boolean;
  /** It became so after it was sent first, by that request or by somebody else. */
  unsure?: boolean;
  /** To be shown once and kept nowhere. */
  secret?: string;
};

/** What an action will do, as far as the server tells beforehand. */
export type Prospect = {
  /** Sentences in the person's language. */
  said: string[];
  /** There is nothing to do, or it is on its way already: it is not offered. */
  idle?: boolean;
  /** Of this room or user there is a task that says more. */
  taskOf?: string;
};

/** How far something is that goes on on the server. */
export type Progress =
  /** `isQueued`: the server hasn't started it. */
  | { state: 'active'; isQueued?: boolean }
  | { state: 'done'; failures: Readonly<Record<string, string>> }
  | { state: 'failed'; error: string };

/** A run, for what goes on beside it. */
export type Accompanied<K extends Kind = Kind> = {
  /** What it has not done. */
  left(): readonly ItemOf<K>[];
};

export type Action<K extends Kind = Kind> = {
  /** As the log has it. */
  id: string;
  /** A message with `{count}` and `{users}`, for the button, menu, palette and log. */
  label: string;
  /** What it does, beside the label in the menu. */
  hint: string;
  kind: K;
  /** What it touches: where it stands in the menu. */
  group: 'event' | 'report' | 'user' | 'room' | 'server';
  icon: Icon;
  words: Words;
  /** As `KeyboardEvent.key` gives it. */
  key?: string;
  /** A button where there is room for it; those with a key fill up what is left. */
  usual?: true;
  /** Shown only where the server has all of these. */
  needs: readonly Endpoint[];
  /** Whether there is something to do; without it there always is. */
  applies?(known: Known): boolean;
  /** Of uploads, whether there is something to do to this one; undefined while it isn't known how it stands. */
  appliesTo?(medium: KnownMedium | undefined): boolean;
  /** Whether it can be done to this one at all; without it, it can be done to all of its kind. */
  accepts?(item: ItemOf<K>): boolean;
  /** Only for users and uploads of the connected server itself. */
  localOnly?: true;
  /** It gives something to be shown once: only one at a time, its panel waits for it, and it is kept nowhere. */
  shownOnce?: true;
  /** Only one at a time: what is asked for before is about that one. */
  oneOnly?: true;
  /** It is what one signs in with: of one's own account the app refuses it to its page, and there it is not offered. */
  takesOver?: true;
  /** It harms the user: one's own account needs a second question, and administrators are named. */
  harms?: true;
  /** It can be the answer to every report on the one that it is done to. */
  settles?: true;
  /** It takes power in the room, which the server can give. */
  power?: 'redact' | 'kick' | 'ban';
  /** The reason can be shown to the people in the room, too. */
  publicReason?: true;
  /** Red: what it takes away doesn't come back. */
  destructive?: true;
  /** Requires typing the name, or how many there are; `many` and `over 20`: only for more than one, or than 20. */
  typed?: true | 'many' | 'over 20';
  fields?: readonly Field[];
  /** It is all of these that are chosen, one after the other: the flag that chooses one is named by its `id`. */
  steps?: readonly Action[];
  /** It is nothing but the marks of its reports: it is never offered by itself, and the log has the marks. */
  onlyMarks?: true;
  /** What is loaded anew afterwards, by a word of its query key, beside what names the item there. */
  changes?: readonly string[];
  /** Returns the text that this one is sent. */
  preview?(server: Server, item: ItemOf<K>, answers: Answers): string;
  /** What it will do to this one. */
  foresee?(server: Server, item: ItemOf<K>, answers: Answers, signal: AbortSignal): Promise<Prospect>;
  run(work: Work, item: ItemOf<K>, answers: Answers): Promise<Done>;
  /** Called when a run begins; what it returns when the run is over, or when another goes on with what is left. */
  accompany?(surroundings: Surroundings, run: Accompanied<K>): Promise<(isOver: boolean) => void>;
  undo?(work: Work, item: ItemOf<K>, kept: unknown): Promise<void>;
  /** Asks how far it is. */
  progress?(server: Server, task: string): Promise<Progress>;
  /** Looks at what a task left that could be done; `failures` are the task's own. */
  check?(
    server: Server,
    item: ItemOf<K>,
    answers: Answers,
    failures: Readonly<Record<string, string>>,
  ): Promise<Unredacted[]>;
};

/** Keeps an action's own kind where it is written, and lets the list forget it. */
export const action = <K extends Kind>(entry: Action<K>): Action => entry as unknown as Action;

/** The field that says whether the reports that something is done about are marked reviewed by it. */
export const markReviewed = 'markReviewed';

/** Whether acting last resolved the reports; kept on this device for all servers. */
export const reviewsByActing = ({ kept }: Server) =>
  kept.open('gatehouse.actions.reviews', Type.Boolean(), true);

/** The field that says whether the room reads the reason, too. */
export const tellRoom = 'tellRoom';

/** The reason as far as it is for the people in the room. */
export const publicReason = ({ reason, fields }: Answers): string | undefined =>
  fields[tellRoom] && reason !== '' ? reason : undefined;
