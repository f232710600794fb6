import { z } from 'zod';
import { json, noContent, problem, type Answer } from '../http/answer.ts';
import { cutPage, readPageQuery } from '../http/page-query.ts';
import { readJson } from '../http/read-json.ts';
import type { Exchange } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { Isolation } from '../state/isolations.ts';
import { objectName } from '../storage/object-store.ts';
import { restorationModel } from '../isolation/restore-speech.ts';
import { wholeCredits } from '../billing/units.ts';

const notFound = problem(404, 'not_found', 'There is no isolation with this identifier.');
const formats = ['mp3', 'wav', 'flac', 'ogg', 'original'] as const;
type Format = (typeof formats)[number];

const find = ({ params }: Exchange, { isolations }: Services): Isolation | null => isolations.read(params['id'] ?? '');

/** GET /v1/voice-isolations, newest first */
export function listIsolations({ query }: Exchange, services: Services): Answer {
  const page = readPageQuery(query, { usual: 20, most: 50 });
  if (!page.ok) return page.error;
  const { limit, beforeSeq } = page.value;
  const { items, nextCursor } = cutPage(services.isolations.page(limit + 1, beforeSeq), limit);
  const data = items.map((job) => writeIsolation(job, services));
  return json(200, { data, has_more: nextCursor !== null, next_cursor: nextCursor });
}

/** GET /v1/voice-isolations/{id} */
export function readIsolation(exchange: Exchange, services: Services): Answer {
  const job = find(exchange, services);
  return job === null ? notFound : json(200, writeIsolation(job, services));
}

/** DELETE /v1/voice-isolations/{id}: hides it in the list, and nothing else */
export function hideIsolation({ params }: Exchange, { isolations }: Services): Answer {
  return isolations.hide(params['id'] ?? '') ? noContent : notFound;
}

function exportAnswer(status: number, { id }: Isolation, format: Format, { isolations, links }: Services): Answer {
  const state = format === 'wav' || format === 'original' ? 'completed' : isolations.exportStatus(id, format);
  const object = objectName(id, format === 'original' ? 'bin' : format);
  const address = state === 'completed' ? links.linkTo(object) : null;
  return json(status, { isolation_id: id, format, status: state, download_url: address });
}

/** POST /v1/voice-isolations/{id}/exports: free, and runs no model again */
export async function createExport(exchange: Exchange, services: Services): Promise<Answer> {
  const job = find(exchange, services);
  if (job === null) return notFound;
  const body = await readJson(exchange.request, z.strictObject({ format: z.enum(formats) }));
  if (!body.ok) return body.error;
  const { format } = body.value;
  if (job.status !== 'completed')
    return problem(409, 'isolation_not_completed', 'Only a completed isolation can be exported.');
  const known = services.isolations.exportStatus(job.id, format);
  if (format === 'wav' || format === 'original') services.isolations.setExport(job.id, format, 'completed');
  else if (known === null || known === 'failed') services.isolationQueue.convert(job.id, format);
  return exportAnswer(202, job, format, services);
}

/** GET /v1/voice-isolations/{id}/exports/{format} */
export function readExport(exchange: Exchange, services: Services): Answer {
  const job = find(exchange, services);
  if (job === null) return notFound;
  const format = z.enum(formats).safeParse(exchange.params['format']);
  if (!format.success) return problem(400, 'validation_error', 'This format is not known.', { format: 'is not known' });
  if (services.isolations.exportStatus(job.id, format.data) === null)
    return problem(404, 'not_found', 'This format was not asked for.');
  return exportAnswer(200, job, format.data, services);
}

/** The body of one job; a completed one has a fresh address of its audio. */
export function writeIsolation(job: Isolation, { links }: Pick<Services, 'links'>): Record<string, unknown> {
  const isDone = job.status === 'completed';
  return {
    id: job.id,
    title: job.title,
    status: job.status,
    audio_status: job.status,
    audio_format: 'wav',
    audio_url: isDone ? links.linkTo(objectName(job.id, 'wav')) : null,
    duration_ms: job.durationMs,
    credits: wholeCredits(job.units),
    speech_restoration: job.speechRestoration,
    ...(job.speechRestoration ? { restoration_model: restorationModel } : {}),
    ...(job.errorCode === null ? {} : { error_code: job.errorCode }),
    created_at: new Date(job.createdAtMs).toISOString(),
    updated_at: new Date(job.updatedAtMs).toISOString(),
  };
}
