import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { exportFormats } from '../../shared/domain/exports/formats.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { packChange, type PackedChange } from '../../shared/domain/transcript/packed.ts';
import { wordsOf } from '../../shared/domain/transcript/spoken-text.ts';
import type { Version } from '../../shared/domain/transcript/versions.ts';
import { catalogueOf } from '../../shared/i18n/uzbek-cyrillic.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import {
  secondIdOf,
  writeRequest,
  type LongWriter,
  type WritingRequest,
  type WrittenExport,
} from '../services/exports/write-request.ts';
import { cutIntoParts, type TextInParts, type TextsInParts } from '../services/transcripts/text-in-parts.ts';
import { readStoredText, readStoredVersion, readStoredVersions, readStoredWords } from '../storage/read-stored-text.ts';
import { isInRole, serveThread, WorkThread } from '../threads/work-thread.ts';

export const writingRole = { role: 'writing' } as const;

export type WritingTask = { readonly library: string } & (
  | ({ readonly kind: 'export' } & WritingRequest)
  | { readonly kind: 'parts' | 'versions'; readonly transcriptId: string }
  | { readonly kind: 'version'; readonly transcriptId: string; readonly revision: number }
);

export type WritingOutcome =
  | { readonly kind: 'written'; readonly written: WrittenExport }
  | { readonly kind: 'parts'; readonly text: TextInParts }
  | { readonly kind: 'versions'; readonly versions: readonly Version[] }
  | { readonly kind: 'version'; readonly ofRevision: number; readonly change: PackedChange }
  | { readonly kind: 'failed'; readonly failure: Failure };

const unknown: WritingOutcome = {
  kind: 'failed',
  failure: localFailure('deleted-at-service', { code: 'unknown_transcript' }),
};

export async function writeTask(task: WritingTask): Promise<WritingOutcome> {
  switch (task.kind) {
    case 'parts':
      return cut(task.library, task.transcriptId);
    case 'versions': {
      const found = readStoredVersions(task.library, task.transcriptId);
      return found.ok ? { kind: 'versions', versions: found.value } : { kind: 'failed', failure: found.error };
    }
    case 'version': {
      const found = readStoredVersion(task.library, task.transcriptId, task.revision);
      if (!found.ok) return { kind: 'failed', failure: found.error };
      return found.value === null
        ? unknown
        : { kind: 'version', ...found.value, change: packChange(found.value.change) };
    }
    case 'export':
      return write(task.library, task);
  }
}

function cut(library: string, transcriptId: string): WritingOutcome {
  const found = readStoredWords(library, transcriptId);
  if (!found.ok) return { kind: 'failed', failure: found.error };
  if (found.value === null) return unknown;
  const { segments, revision, ...head } = found.value;
  const wordCount = segments.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
  const parts = cutIntoParts(segments);
  return { kind: 'parts', text: { head: { ...head, segments: [] }, parts, wordCount, revision } };
}

async function write(library: string, request: WritingRequest): Promise<WritingOutcome> {
  const found = readStoredText(library, request.transcriptId);
  if (!found.ok) return { kind: 'failed', failure: found.error };
  if (found.value === null) return unknown;
  const secondId = secondIdOf(request.options);
  const second = secondId === null ? ok(null) : readStoredText(library, secondId);
  if (!second.ok) return { kind: 'failed', failure: second.error };
  return { kind: 'written', written: await writeRequest(found.value, request, nameSpeaker, second.value) };
}

export const nameSpeaker = (language: InterfaceLanguage, number: number): string =>
  catalogueOf(language).cli.speaker.replace('{{number}}', String(number));

const about = { library: z.string(), transcriptId: z.string() };
const task = lazySchema(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('export'),
      ...about,
      format: z.enum(exportFormats),
      options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      characters: z.number().nullable(),
      isCheck: z.boolean().optional(),
    }),
    z.object({ kind: z.literal('parts'), ...about }),
    z.object({ kind: z.literal('versions'), ...about }),
    z.object({ kind: z.literal('version'), ...about, revision: z.number().int().nonnegative() }),
  ]),
);

if (!isMainThread && isInRole(writingRole.role)) {
  serveThread(
    (message) =>
      Promise.try(() => writeTask(task().parse(message))).catch((): WritingOutcome => ({
        kind: 'failed',
        failure: localFailure('export-unfinished'),
      })),
    (outcome) => {
      const made =
        outcome.kind === 'written' && 'bytes' in outcome.written.document
          ? [outcome.written.document.bytes]
          : outcome.kind === 'parts'
            ? outcome.text.parts
            : [];
      return made.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
    },
  );
}

/** A thread is silent while it writes. The longest text that can be stored is written in a tenth of this. */
const silenceLimitMs = 120_000;

/** Each export in a new thread, so that its memory is released at once; opening waits for none. */
export function openWriter(workerUrl: URL, library: string): LongWriter & TextsInParts {
  const threads = new Set<WorkThread<WritingTask, WritingOutcome>>();
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const stopped = localFailure('export-unfinished');
  const failed = (): WritingOutcome => ({ kind: 'failed', failure: stopped });
  const failureOf = (outcome: WritingOutcome) => (outcome.kind === 'failed' ? outcome.failure : stopped);
  const notRead = (outcome: WritingOutcome) => {
    const failure = failureOf(outcome);
    return failure === stopped ? makeFailure('internal-error', { code: 'text_not_read' }) : failure;
  };

  async function inThread(task: WritingTask): Promise<WritingOutcome> {
    if (isClosed) return failed();
    const thread = new WorkThread<WritingTask, WritingOutcome>({
      workerUrl,
      workerData: writingRole,
      silenceLimitMs,
      lost: failed,
    });
    threads.add(thread);
    try {
      return await thread.run(task);
    } finally {
      threads.delete(thread);
      await thread.close();
    }
  }

  return {
    async write(request) {
      const mine = turn.then(() => inThread({ ...request, kind: 'export', library }));
      turn = mine;
      const outcome = await mine;
      return outcome.kind === 'written' ? ok(outcome.written) : err(failureOf(outcome));
    },
    async inParts(transcriptId) {
      const outcome = await inThread({ kind: 'parts', transcriptId, library });
      return outcome.kind === 'parts' ? ok(outcome.text) : err(notRead(outcome));
    },
    async versions(transcriptId) {
      const outcome = await inThread({ kind: 'versions', transcriptId, library });
      return outcome.kind === 'versions' ? ok(outcome.versions) : err(notRead(outcome));
    },
    async version(transcriptId, revision) {
      const outcome = await inThread({ kind: 'version', transcriptId, revision, library });
      return outcome.kind === 'version' ? ok(outcome) : err(notRead(outcome));
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.close()));
    },
  };
}
