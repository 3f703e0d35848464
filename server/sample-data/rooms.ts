/** Where they talk. */
export type SampleRoom = {
  /** Local part of the alias; left out for a room that has none. */
  alias?: string;
  name?: string;
  topic?: string;
};

export const sampleRooms: SampleRoom[] = [
  { alias: 'lobby', name: 'Lobby', topic: 'Say hello. Be kind.' },
  { alias: 'help', name: 'Help desk', topic: 'Ask anything about this server' },
  { alias: 'off-topic', name: 'Off topic' },
  { alias: 'marketplace', name: 'Marketplace', topic: 'Bicycles, books, spare keyboards' },
  { alias: 'photography', name: 'Photography' },
  { alias: 'gaming', name: 'Gaming — no spoilers' },
  { alias: 'arabic', name: 'غرفة اللغة العربية' },
  // One without a name or an alias: lists have to cope.
  {},
];
