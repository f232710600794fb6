import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { json, noContent, problem, type Answer } from '../http/answer.ts';
import { cutPage, readPageQuery } from '../http/page-query.ts';
import { readJson } from '../http/read-json.ts';
import type { Exchange } from '../http/route.ts';
import { acceptedPath } from '../queue/work-queue.ts';
import type { Services } from '../services.ts';
import { writePage, writeTranscription } from '../shapes/write-transcription.ts';
import type { StoredSegment, TranscriptionRecord } from '../state/records.ts';
import { exportFormats, renderExport } from './render-export.ts';

const notFound = problem(404, 'not_found', 'There is no transcription with this identifier.');

function find(exchange: Exchange, services: Services): TranscriptionRecord | null {
  return services.transcriptions.read(exchange.params['transcriptionId'] ?? '');
}

/** GET /v1/stt/transcriptions, newest first */
export function listTranscriptions({ query, shape }: Exchange, { transcriptions }: Services): Answer {
  const page = readPageQuery(query, { usual: 10, most: 100 });
  if (!page.ok) return page.error;
  const { limit, beforeSeq } = page.value;
  const { items, nextCursor } = cutPage(transcriptions.page(limit + 1, beforeSeq), limit);
  return json(200, writePage(items, nextCursor, shape));
}

/** GET /v1/stt/transcriptions/{transcription_id} */
export function readTranscription(exchange: Exchange, services: Services): Answer {
  const record = find(exchange, services);
  if (record === null) return notFound;
  const pieces = record.status === 'processing' ? services.transcriptions.pieces(record.id) : [];
  const last = pieces.at(-1);
  // The length is known before the first piece is heard, and only where words are recognised.
  const progress =
    record.status !== 'processing' || record.durationMs === null
      ? {}
      : {
          progress: Math.min(1, (last?.heardMs ?? 0) / record.durationMs),
          latest_text: (last?.words ?? []).map(({ text }) => text).join(' '),
        };
  const model = services.transcriptions.modelOf(record.id);
  return json(200, {
    ...writeTranscription(record, exchange.shape),
    ...progress,
    ...(model === null ? {} : { model }),
  });
}

const titleBody = z.strictObject({
  title: z.string().trim().min(1, 'must not be empty').max(200, 'at most 200 characters'),
});

/** PATCH /v1/stt/transcriptions/{transcription_id} */
export async function renameTranscription(exchange: Exchange, services: Services): Promise<Answer> {
  if (find(exchange, services) === null) return notFound;
  const body = await readJson(exchange.request, titleBody);
  if (!body.ok) return body.error;
  const record = services.transcriptions.rename(
    exchange.params['transcriptionId'] ?? '',
    body.value.title,
    services.now(),
  );
  return record === null ? notFound : json(200, writeTranscription(record, exchange.shape));
}

const time = z.int().min(0);
const editorBody = z.object({
  revision: z.int().min(1),
  segments: z
    .array(
      z
        .object({
          start_ms: time,
          end_ms: time,
          text: z.string().max(20_000),
          speaker: z.string().max(80).nullish(),
          words: z.array(z.object({ text: z.string().max(200), start_ms: time, end_ms: time })).default([]),
        })
        .refine((segment) => segment.end_ms >= segment.start_ms, { error: 'ends before it starts' }),
    )
    .max(100_000),
});

const toStored = (segment: z.output<typeof editorBody>['segments'][number]): StoredSegment => ({
  startMs: segment.start_ms,
  endMs: segment.end_ms,
  text: segment.text,
  ...(segment.speaker === null || segment.speaker === undefined ? {} : { speaker: segment.speaker }),
  words: segment.words.map((word) => ({ text: word.text, startMs: word.start_ms, endMs: word.end_ms })),
});

/** PUT /v1/stt/transcriptions/{transcription_id}/editor: replaces the text, if its revision is still the given one */
export async function editTranscription(exchange: Exchange, services: Services): Promise<Answer> {
  const current = find(exchange, services);
  if (current === null) return notFound;
  const body = await readJson(exchange.request, editorBody);
  if (!body.ok) return body.error;
  if (current.status !== 'completed')
    return problem(409, 'transcription_not_completed', 'Only a completed transcription can be edited.');
  const outcome = services.transcriptions.edit(
    current.id,
    body.value.revision,
    body.value.segments.map(toStored),
    services.now(),
  );
  switch (outcome.kind) {
    case 'absent':
      return notFound;
    case 'stale':
      return problem(409, 'transcription_revision_conflict', 'The text was changed after it was read.', {
        revision: `is ${outcome.revision} now`,
      });
    case 'edited':
      return json(200, writeTranscription(outcome.record, exchange.shape));
  }
}

/** DELETE /v1/stt/transcriptions/{transcription_id}: the text and the audio */
export async function deleteTranscription(exchange: Exchange, services: Services): Promise<Answer> {
  const id = exchange.params['transcriptionId'] ?? '';
  if (!services.transcriptions.remove(id)) return notFound;
  services.queue.cancel(id);
  services.credits.release(id);
  await rm(acceptedPath(services.uploadsDir, id), { force: true });
  return noContent;
}

/** GET /v1/stt/transcriptions/{transcription_id}/export?format=txt|json|srt|vtt */
export function exportTranscription(exchange: Exchange, services: Services): Answer {
  const record = find(exchange, services);
  if (record === null) return notFound;
  const format = z.enum(exportFormats).safeParse(exchange.query.get('format'));
  if (!format.success)
    return problem(400, 'validation_error', 'format is txt, json, srt or vtt.', {
      format: 'must be txt, json, srt or vtt',
    });
  if (record.status !== 'completed')
    return problem(409, 'transcription_not_completed', 'Only a completed transcription can be exported.');
  return { kind: 'file', ...renderExport(record, format.data) };
}
