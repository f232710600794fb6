import type { Failure } from '../../../shared/result/failure.ts';
import { err } from '../../../shared/result/result.ts';
import type { Ledger } from './ledger.ts';

/**
 * Stands in for a ledger that can't be opened: everything that is free goes on, and what costs is refused with the
 * reason before anything is sent.
 */
export const unusableLedger = (failure: Failure): Ledger => ({
  begin: () => err(failure),
  end: () => undefined,
  report: () => undefined,
  list: () => err(failure),
  expectedCredits: () => null,
  findPaid: () => null,
  forgetContents: () => undefined,
  fingerprint: () => '',
  openRequest: () => err(failure),
  noteRemoteId: () => undefined,
  closeRequest: () => undefined,
  close: () => undefined,
});
