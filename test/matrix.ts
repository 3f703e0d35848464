/** Whether this is `npm run test:matrix`, which runs in full what `npm test` samples: kills, loads, properties. */
export const isMatrix = process.env.MATRIX === '1';
