import type { Failure } from '../../result/failure.ts';
import { makeFailure, type FailureFacts } from '../failures/make-failure.ts';

/** Machine codes of the rows that the queue, the library and the exports assign themselves. */
const codes = {
  'file-unreadable': 'file_unreadable',
  'file-changed': 'file_changed',
  'no-receipt': 'no_receipt',
  'answer-unreadable': 'unreadable_answer',
  'result-missing': 'result_missing',
  'deleted-at-service': 'gone',
  'job-not-found': 'job_lost',
  'other-key': 'other_key',
  'recording-unprocessable': 'service_failed',
  'unusually-long': 'unusually_long',
  'disk-space-short': 'cannot_write',
  'disk-full': 'disk_full',
  'disk-error': 'disk_error',
  'library-damaged': 'library_damaged',
  'already-open': 'already_open',
  'library-newer': 'library_newer',
  'data-folder-unwritable': 'folder_not_writable',
  'not-a-recording': 'not_audio',
  'already-in-queue': 'duplicate',
  'name-taken': 'name_taken',
  'export-unfinished': 'export_failed',
  'refused-by-proxy': 'refused_on_the_way',
  'recording-silent': 'nothing_heard',
  'voice-not-recognised': 'no_voice_heard',
} as const;

export type LocalRow = keyof typeof codes;

/** A failure decided on this side, with our own code unless `facts` contains a better one. */
export const localFailure = (row: LocalRow, facts: FailureFacts = {}): Failure =>
  makeFailure(row, { code: codes[row], ...facts });
