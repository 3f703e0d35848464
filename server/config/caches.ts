import { Type } from 'typebox';
import type { CacheConfig } from './config.ts';
import { DurationSetting, milliseconds } from './duration.ts';
import type { Settings } from './settings.ts';

export const CachesSetting = Type.Object(
  {
    global_factor: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    expire_caches: Type.Optional(Type.Boolean()),
    cache_entry_ttl: Type.Optional(DurationSetting),
    expiry_time: Type.Optional(DurationSetting),
  },
  { additionalProperties: true },
);

const defaultEntryTtl = '30m';

/** How much is kept in memory, and for how long. Interface: "Limits", cache entry expiry. */
export function cacheConfig({ caches: settings = {} }: Settings): CacheConfig {
  const { global_factor: globalFactor = 1, expire_caches: expire = true } = settings;
  // The deprecated name counts where the newer one is not written.
  const ttl = settings.cache_entry_ttl ?? settings.expiry_time ?? defaultEntryTtl;
  return { globalFactor, entryTtlMs: expire ? milliseconds(ttl) : undefined };
}
