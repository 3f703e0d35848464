/** Cache sizes and expiry. */
import { Type } from 'typebox';
import { section } from './section.ts';
import { Duration, milliseconds } from './units.ts';

export type CacheConfig = {
  /** Multiplies the size of every cache. */
  globalFactor: number;
  /** Override it for single caches, by name. */
  factors?: Record<string, number> | undefined;
  /** Evicts entries that are unused for this long, in milliseconds; undefined for never. */
  entryTtlMs: number | undefined;
};

/** Synapse's names for the caches that it has as well. */
const cacheNames = [
  'getEvent',
  'room_state_at_head',
  'getUsersInRoomWithProfiles',
  'get_push_rules_for_user',
  'client_ip_last_seen',
  'token_introspection',
  'token_refusals',
  'tokens_good_lately',
  'networks_kept_away',
  'sync_members',
  'empty_inboxes',
  'recent_events',
  'room_bump_stamps',
  'members_to_wake',
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
        // Deprecated name of `cache_entry_ttl`.
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
