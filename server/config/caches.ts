/** How much is kept in memory, and for how long. Interface: "Limits", cache entry expiry. */
import { Type } from 'typebox';
import { Duration, milliseconds } from './duration.ts';
import { section } from './section.ts';

export type CacheConfig = {
  /** Multiplies the size of every cache. */
  globalFactor: number;
  /** Takes its place for single caches, by their names. */
  factors?: Record<string, number> | undefined;
  /** How long an entry stays that nobody asks for, in milliseconds; for good where it is undefined. */
  entryTtlMs: number | undefined;
};

/** Where administrators of this kind of server know a name for what is kept, it has that one. */
const cacheNames = [
  'getEvent',
  'room_state_at_head',
  'getUsersInRoomWithProfiles',
  'get_push_rules_for_user',
  'client_ip_last_seen',
  'access_tokens',
  'replies',
  'token_introspection',
  'token_refusals',
  'tokens_good_lately',
  'networks_kept_away',
  'sync_members',
  'empty_inboxes',
  'recent_events',
  'room_bump_stamps',
  'members_to_wake',
  'account_data_sizes',
];

const Factor = { exclusiveMinimum: 0, maximum: 100, title: 'a number above 0, at most 100' };

export const caches = section(
  {
    caches: Type.Object(
      {
        global_factor: Type.Number({
          ...Factor,
          default: 1,
          description: 'Multiplies the size of every cache',
        }),
        per_cache_factors: Type.Optional(
          Type.Record(Type.String(), Type.Number(Factor), {
            description: `Factors for single caches, in place of the global one: ${cacheNames.map((name) => `\`${name}\``).join(', ')}`,
            known: cacheNames,
          }),
        ),
        expire_caches: Type.Boolean({
          default: true,
          description: "Evicts entries that aren't used",
        }),
        cache_entry_ttl: Type.Optional(
          Duration({ description: 'Evicts entries unused for this long; `30m` if not set' }),
        ),
        // The deprecated name counts where the newer one is not written.
        expiry_time: Type.Optional(Duration({})),
      },
      { default: {}, additionalProperties: true },
    ),
  },
  ({ caches: settings }): { caches: CacheConfig } => ({
    caches: {
      globalFactor: settings.global_factor,
      factors: settings.per_cache_factors,
      entryTtlMs: settings.expire_caches
        ? milliseconds(settings.cache_entry_ttl ?? settings.expiry_time ?? '30m')
        : undefined,
    },
  }),
);
