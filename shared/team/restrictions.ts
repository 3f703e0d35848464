/** Restrictions of users and rooms: the actions that impose and lift them, and their requests. */
import { type TSchema, Type } from 'typebox';
import { EmptyObject } from '../api/common.ts';
import { suspendUser } from '../api/users.ts';

/** The path has no prefix: that of the admin API or of the client and federation APIs comes before it. */
export type ApiRequest = {
  api: 'admin' | 'chat';
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: { shape: TSchema; value: unknown };
};

const segment = encodeURIComponent;
export const userPath = (userId: string) => `/v2/users/${segment(userId)}`;
export const blockPath = (roomId: string) => `/v1/rooms/${segment(roomId)}/block`;
const roomPath = (roomId: string) => `/client/v3/rooms/${segment(roomId)}`;
export const memberPath = (roomId: string, userId: string) =>
  `${roomPath(roomId)}/state/m.room.member/${segment(userId)}?format=event`;

export const suspendRequest = (userId: string, suspend: boolean): ApiRequest => ({
  api: 'admin',
  method: 'PUT',
  path: `/v1/suspend/${segment(userId)}`,
  body: { shape: suspendUser.body, value: { suspend } },
});

/** @param uri `mxc://server/id` */
export const quarantineMediaRequest = (uri: string): ApiRequest => ({
  api: 'admin',
  method: 'POST',
  path: `/v1/media/quarantine/${uri.slice('mxc://'.length).split('/').map(segment).join('/')}`,
  body: { shape: EmptyObject, value: {} },
});

const Lock = Type.Object({ locked: Type.Boolean() });

/** The API creates a missing user. */
export const lockRequest = (userId: string, locked: boolean): ApiRequest => ({
  api: 'admin',
  method: 'PUT',
  path: userPath(userId),
  body: { shape: Lock, value: { locked } },
});

export const shadowBanRequest = (userId: string, banned: boolean): ApiRequest => ({
  api: 'admin',
  method: banned ? 'POST' : 'DELETE',
  path: `/v1/users/${segment(userId)}/shadow_ban`,
  ...(banned && { body: { shape: EmptyObject, value: {} } }),
});

export const Block = Type.Object({ block: Type.Boolean() });

export const blockRequest = (roomId: string, block: boolean): ApiRequest => ({
  api: 'admin',
  method: 'PUT',
  path: blockPath(roomId),
  body: { shape: Block, value: { block } },
});

const UserId = Type.Object({ user_id: Type.String() });

/** Gives a user the highest power level, through a local user who has it. */
export const makeRoomAdminRequest = (roomId: string, userId: string): ApiRequest => ({
  api: 'admin',
  method: 'POST',
  path: `/v1/rooms/${segment(roomId)}/make_room_admin`,
  body: { shape: UserId, value: { user_id: userId } },
});

const MembershipChange = Type.Object({ user_id: Type.String(), reason: Type.Optional(Type.String()) });

export const membershipRequest = (
  change: 'kick' | 'ban' | 'unban',
  { roomId, userId }: { roomId: string; userId: string },
  reason: string | undefined,
): ApiRequest => ({
  api: 'chat',
  method: 'POST',
  path: `${roomPath(roomId)}/${change}`,
  body: { shape: MembershipChange, value: { user_id: userId, ...(reason !== undefined && { reason }) } },
});

export const ownMembershipRequest = (change: 'join' | 'leave', roomId: string): ApiRequest => ({
  api: 'chat',
  method: 'POST',
  path: `${roomPath(roomId)}/${change}`,
  body: { shape: EmptyObject, value: {} },
});

/** A membership and its sender. */
export const MembershipEvent = Type.Object({
  membership: Type.Optional(Type.String()),
  sender: Type.Optional(Type.String()),
  content: Type.Optional(Type.Object({ membership: Type.Optional(Type.String()) })),
});

type Flag = boolean | number | null | undefined;

/** The current state of an action's subject, as far as it's known. Servers send some flags as numbers. */
export type RestrictionState = {
  user?: { suspended?: Flag; locked?: Flag; shadow_banned?: Flag; deactivated?: Flag } | undefined;
  blocked?: boolean | undefined;
  membership?: string | undefined;
  /** Null: hidden. */
  muted?: boolean | null | undefined;
};

/** `inverse`: the action that ends a time limit. `applies`: whether something is left to change, or it's unknown. */
type Restriction = { inverse?: string; applies(state: RestrictionState): boolean };

const byId = {
  'suspend-user': {
    inverse: 'unsuspend-user',
    applies: ({ user }) => user?.suspended !== true && !user?.deactivated,
  },
  'unsuspend-user': { applies: ({ user }) => user?.suspended !== false },
  'lock-user': {
    inverse: 'unlock-user',
    applies: ({ user }) => user?.locked !== true && !user?.deactivated,
  },
  'unlock-user': { applies: ({ user }) => user?.locked !== false },
  'shadow-ban-user': {
    inverse: 'unshadow-ban-user',
    applies: ({ user }) => !user?.shadow_banned && !user?.deactivated,
  },
  'unshadow-ban-user': { applies: ({ user }) => user === undefined || Boolean(user.shadow_banned) },
  'block-room': { inverse: 'unblock-room', applies: ({ blocked }) => blocked !== true },
  'unblock-room': { applies: ({ blocked }) => blocked !== false },
  'ban-member': { inverse: 'unban-member', applies: ({ membership }) => membership !== 'ban' },
  'unban-member': {
    applies: ({ membership }) => membership === undefined || membership === 'ban',
  },
  'mute-member': {
    inverse: 'unmute-member',
    applies: ({ membership, muted }) => muted !== true && membership !== 'ban' && membership !== 'leave',
  },
  'unmute-member': { applies: ({ muted }) => muted === true || muted === null },
} satisfies Record<string, Restriction>;

export type RestrictionId = keyof typeof byId;
export const restrictions: Readonly<Record<RestrictionId, Restriction>> = byId;

export const isRestriction = (action: string): action is RestrictionId => Object.hasOwn(restrictions, action);
