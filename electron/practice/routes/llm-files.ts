import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { asLlmProblem, llmProblem, json, type Answer } from '../http/answer.ts';
import { receiveForm, type Form } from '../http/receive-upload.ts';
import type { Exchange, KeyedExchange } from '../http/route.ts';
import { inspectFile } from '../llm/file-content.ts';
import type { LlmFile } from '../llm/llm-files.ts';
import { findModel } from '../llm/models.ts';
import type { Services } from '../services.ts';

const maxBytes = 4 * 1024 * 1024;
const mostPages = 100;
const mostActive = 25;
const mostAttempts = 100;
const mostAtOnce = 4;
const keptMs = 30 * 86_400_000;

const notFound = llmProblem(404, 'not_found', 'There is no file with this identifier.');
const quota = (words: string): Answer => llmProblem(429, 'attachment_quota_exceeded', words, { 'retry-after': '60' });
const wrong = (words: string): Answer => llmProblem(422, 'validation_error', words);

const write = ({ id, fileName, bytes, purpose, createdAtMs, expiresAtMs }: LlmFile | Omit<LlmFile, 'seq'>) => ({
  id,
  object: 'file',
  bytes,
  filename: fileName,
  purpose,
  created_at: Math.floor(createdAtMs / 1000),
  expires_at: Math.floor(expiresAtMs / 1000),
});

const fields = z.strictObject({
  model: z.string().optional(),
  purpose: z.enum(['vision', 'document']).optional(),
});

/** The text of a PDF, or the answer to one that can't be used. */
async function wordsOf(path: string, { documents }: Services): Promise<string | Answer> {
  const outcome = await documents.run({ path, mostPages });
  switch (outcome.kind) {
    case 'read':
      return outcome.text;
    case 'too-many-pages':
      return llmProblem(422, 'invalid_attachment', `The PDF has more than ${mostPages} pages.`);
    case 'damaged':
      return llmProblem(422, 'invalid_attachment', 'The PDF cannot be opened.');
  }
}

async function keep({ files: [file], fields: given, unexpected }: Form, services: Services): Promise<Answer> {
  const { llmFiles, now } = services;
  if (unexpected.size > 0) return wrong('A field was sent twice, or is not known.');
  const order = fields.safeParse(Object.fromEntries(given));
  if (!order.success) return wrong('A field is not right, or is not known.');
  if (file.sizeBytes === 0) return wrong('The file is empty.');
  const outcome = inspectFile(await readFile(file.path));
  if (outcome.kind === 'unknown')
    return llmProblem(415, 'unsupported_media_type', 'Only PNG, JPEG, WebP, GIF and PDF are taken.');
  if (outcome.kind === 'damaged') return llmProblem(422, 'invalid_attachment', outcome.detail);
  const { purpose } = outcome.content;
  if (order.data.purpose !== undefined && order.data.purpose !== purpose)
    return wrong(`The file is for ${purpose}, which is not what was asked for.`);
  if (order.data.model !== undefined) {
    const model = findModel(order.data.model);
    if (model === null) return wrong('There is no such model.');
    if (!model.vision || (purpose === 'document' && !model.document))
      return llmProblem(422, 'unsupported_attachment', 'This model takes no files of this kind.');
  }
  const words = purpose === 'document' ? await wordsOf(file.path, services) : '';
  if (typeof words !== 'string') return words;
  if (llmFiles.countActive(now()) >= mostActive) return quota(`There are ${mostActive} files already. Delete some.`);
  const kept = {
    id: `file_${randomUUID().replaceAll('-', '')}`,
    fileName: file.fileName.slice(0, 200),
    bytes: file.sizeBytes,
    purpose,
    createdAtMs: now(),
    expiresAtMs: now() + keptMs,
  };
  llmFiles.add(kept, words);
  return json(201, write(kept));
}

/** POST /v1/files */
export async function uploadFile(exchange: KeyedExchange, services: Services): Promise<Answer | null> {
  const { llmFiles, uploading, now, uploadsDir, limits } = services;
  if (llmFiles.countAttempt(now()) > mostAttempts) return quota(`There were ${mostAttempts} uploads in the last day.`);
  if (uploading.size >= mostAtOnce) return quota(`At most ${mostAtOnce} uploads at a time.`);
  uploading.add(exchange.requestId);
  try {
    const received = await receiveForm(exchange.request, exchange.body, uploadsDir, {
      field: 'file',
      maxFiles: 1,
      maxBytes,
      tooLargeCode: 'file_too_large',
      deadlineMs: limits.attachmentUploadMs,
    });
    if (!received.ok) {
      const refusal = received.error;
      return refusal === null
        ? null
        : asLlmProblem(refusal, (status, code) => (code === 'validation_error' ? 422 : status));
    }
    try {
      return await keep(received.value, services);
    } finally {
      for (const { path } of received.value.files) await rm(path, { force: true });
    }
  } finally {
    uploading.delete(exchange.requestId);
  }
}

/** GET /v1/files, newest first */
export function listFiles({ query }: Exchange, { llmFiles, now }: Services): Answer {
  const text = query.get('limit') ?? '20';
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 100) return wrong('limit is a number from 1 to 100.');
  const purpose = query.get('purpose');
  if (purpose !== null && purpose !== 'vision' && purpose !== 'document')
    return wrong('purpose is vision or document.');
  const after = query.get('after');
  const last = after === null ? null : llmFiles.read(after, now());
  if (after !== null && last === null) return wrong('after is no file of this account.');
  const found = llmFiles.page(limit + 1, last?.seq ?? null, purpose, now());
  const data = found.slice(0, limit).map(write);
  return json(200, {
    object: 'list',
    data,
    has_more: found.length > limit,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
  });
}

/** GET /v1/files/{file_id} */
export function readFileEntry({ params }: Exchange, { llmFiles, now }: Services): Answer {
  const file = llmFiles.read(params['fileId'] ?? '', now());
  return file === null ? notFound : json(200, write(file));
}

/** DELETE /v1/files/{file_id}: no question can use it from now on */
export function deleteFile({ params }: Exchange, { llmFiles }: Services): Answer {
  const id = params['fileId'] ?? '';
  return llmFiles.remove(id) ? json(200, { id, object: 'file', deleted: true }) : notFound;
}
