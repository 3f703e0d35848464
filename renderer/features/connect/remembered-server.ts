const key = 'gatehouse.server';

/** The id of the server that was looked at last. */
export const rememberedServer = () => localStorage.getItem(key) ?? undefined;

export const rememberServer = (id: string) => localStorage.setItem(key, id);
