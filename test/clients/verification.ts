/** Device and user verification on unmodified clients: request, compare emoji, confirm. */
import {
  CryptoEvent,
  type ShowSasCallbacks,
  VerificationPhase,
  type VerificationRequest,
  type Verifier,
} from 'matrix-js-sdk/lib/crypto-api/index.js';
import { expect } from 'vitest';
import { inTime } from './in-time.ts';
import { type Device, eventually } from './sdk.ts';

/**
 * Compares the emoji and confirms on both sides. The library has only weak references to a verification: with
 * listeners alone, it's garbage collected. Polling keeps it alive.
 */
export async function compare(asking: VerificationRequest, asked: VerificationRequest): Promise<void> {
  await inTime('accept', asked.accept());
  await reached(asking, VerificationPhase.Ready);
  const first = await inTime('startVerification', asking.startVerification('m.sas.v1'));
  await reached(asked, VerificationPhase.Started);
  const second = asked.verifier;
  if (!second) throw new Error('nothing to compare');
  const verified = Promise.all([first.verify(), second.verify()]);
  const shown = Promise.all([first, second].map(symbols));
  // If the verification is canceled, this rejects with the reason.
  const [one, other] = await Promise.race([shown, verified.then(() => shown)]);
  expect(one?.sas.emoji).toEqual(other?.sas.emoji);
  expect(one?.sas.emoji).toHaveLength(7);
  await inTime('confirm', Promise.all([one?.confirm(), other?.confirm()]));
  for (const request of [asking, asked]) await reached(request, VerificationPhase.Done);
  await inTime('verify', verified);
}

async function symbols(verifier: Verifier): Promise<ShowSasCallbacks | null> {
  await eventually(() => verifier.getShowSasCallbacks()).not.toBeNull();
  return verifier.getShowSasCallbacks();
}

const reached = (request: VerificationRequest, phase: VerificationPhase) =>
  eventually(() => request.cancellationCode ?? VerificationPhase[request.phase]).toBe(
    VerificationPhase[phase],
  );

export const nextRequest = (device: Device) =>
  inTime(
    'The request to verify',
    new Promise<VerificationRequest>((resolve) =>
      device.once(CryptoEvent.VerificationRequestReceived, resolve),
    ),
  );
