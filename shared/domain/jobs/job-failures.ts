import type { Failure } from '../../result/failure.ts';
import { makeFailure, type FailureFacts } from '../failures/make-failure.ts';

/** Machine codes of the rows that the queue, the library and the exports assign themselves. */
const codes = {
  'E-010': 'file_unreadable',
  'E-011': 'file_changed',
  'E-022': 'no_receipt',
  'E-024': 'unreadable_answer',
  'E-028': 'result_missing',
  'E-040': 'gone',
  'E-041': 'job_lost',
  'E-042': 'other_key',
  'E-160': 'service_failed',
  'E-161': 'unusually_long',
  'E-175': 'cannot_write',
  'E-180': 'disk_full',
  'E-181': 'disk_error',
  'E-182': 'library_damaged',
  'E-183': 'already_open',
  'E-184': 'library_newer',
  'E-185': 'folder_not_writable',
  'E-211': 'not_audio',
  'E-212': 'duplicate',
  'E-213': 'name_taken',
  'E-214': 'export_failed',
  'E-240': 'refused_on_the_way',
  'E-244': 'nothing_heard',
  'E-245': 'no_voice_heard',
} as const;

export type LocalRow = keyof typeof codes;

/** A failure decided on this side, with our own code unless `facts` contains a better one. */
export const localFailure = (row: LocalRow, facts: FailureFacts = {}): Failure =>
  makeFailure(row, { code: codes[row], ...facts });
