/** True for `npm run test:matrix`. It runs all crash, load and property tests that `npm test` samples. */
export const isMatrix = process.env.MATRIX === '1';
