import { newId, found, json, keyed, Refusal, type Answer, type Exchange, type Route } from './http.ts';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { withForm, type Form } from './form.ts';
import { findModel, inLlmEnvelope, llmProblem, refuseLlm } from './models.ts';
import type { Services } from './services.ts';
import { get } from './state.ts';

/** A file that questions may name. Nothing of its content is kept, because answers use nothing of it. */
export interface LlmFile {
  readonly seq: number;
  readonly id: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly purpose: 'vision' | 'document';
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

const mostPages = 100;
const mostActive = 25;
const mostAttempts = 100;
const mostAtOnce = 4;
const dayMs = 86_400_000;
const keptMs = 30 * dayMs;

const notFound = llmProblem(404, 'not_found', 'There is no file with this identifier.');
const refuseQuota = (words: string): never =>
  refuseLlm(429, 'attachment_quota_exceeded', words, { 'retry-after': '60' });
const wrong = (words: string): never => refuseLlm(422, 'validation_error', words);

/** Files that are not expired, oldest first. */
const active = ({ state, now }: Services): readonly LlmFile[] =>
  Object.values(state.llmFiles).filter(({ expiresAtMs }) => expiresAtMs > now());

export const findFile = (id: string, services: Services): LlmFile | undefined =>
  active(services).find((file) => file.id === id);

const written = ({ id, fileName, bytes, purpose, createdAtMs, expiresAtMs }: LlmFile) => ({
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

async function keep({ files: [file], fields: given, unexpected }: Form, services: Services): Promise<Answer> {
  const { state, save, now } = services;
  if (unexpected.length > 0) wrong('A field was sent twice, or is not known.');
  const order = fields.safeParse(given).data;
  if (order === undefined) return wrong('A field is not right, or is not known.');
  if (file.sizeBytes === 0) wrong('The file is empty.');
  const purpose = purposeOf(await readFile(file.path));
  if (order.purpose !== undefined && order.purpose !== purpose)
    wrong(`The file is for ${purpose}, which is not what was asked for.`);
  if (order.model !== undefined) {
    const model = findModel(order.model);
    if (model === undefined) return wrong('There is no such model.');
    if (!model.takesFiles) refuseLlm(422, 'unsupported_attachment', 'This model takes no files of this kind.');
  }
  if (active(services).length >= mostActive) refuseQuota(`There are ${mostActive} files already. Delete some.`);
  const kept: LlmFile = {
    seq: (state.seq += 1),
    id: newId('file'),
    fileName: file.fileName.slice(0, 200),
    bytes: file.sizeBytes,
    purpose,
    createdAtMs: now(),
    expiresAtMs: now() + keptMs,
  };
  state.llmFiles[kept.id] = kept;
  save();
  return json(201, written(kept));
}

async function uploadFile(exchange: Exchange, services: Services): Promise<Answer> {
  const { state, uploading, now, uploadsDir, limits } = services;
  // Every upload counts, whatever becomes of it.
  state.uploadTimes = [...state.uploadTimes.filter((atMs) => atMs > now() - dayMs), now()];
  if (state.uploadTimes.length > mostAttempts) refuseQuota(`There were ${mostAttempts} uploads in the last day.`);
  if (uploading.size >= mostAtOnce) refuseQuota(`At most ${mostAtOnce} uploads at a time.`);
  uploading.add(exchange.requestId);
  const rules = {
    field: 'file',
    maxFiles: 1,
    maxBytes: 4 * 1024 * 1024,
    tooLargeCode: 'file_too_large',
    deadlineMs: limits.attachmentUploadMs,
  };
  try {
    return await inLlmEnvelope(
      () => withForm(exchange, uploadsDir, rules, (form) => keep(form, services)),
      (status, code) => (code === 'validation_error' ? 422 : status),
    );
  } finally {
    uploading.delete(exchange.requestId);
  }
}

function listFiles({ query }: Exchange, services: Services): Answer {
  const text = query.get('limit') ?? '20';
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 100) wrong('limit is a number from 1 to 100.');
  const purpose = query.get('purpose');
  if (purpose !== null && purpose !== 'vision' && purpose !== 'document') wrong('purpose is vision or document.');
  const after = query.get('after');
  const last = after === null ? undefined : findFile(after, services);
  if (after !== null && last === undefined) wrong('after is no file of this account.');
  const rest = active(services)
    .filter((file) => file.seq < (last?.seq ?? Infinity) && (purpose === null || file.purpose === purpose))
    .toReversed();
  const data = rest.slice(0, limit).map(written);
  return json(200, {
    object: 'list',
    data,
    has_more: rest.length > limit,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
  });
}

const readFileEntry = ({ id }: Exchange, services: Services): Answer =>
  json(200, written(found(findFile(id, services), notFound)));

/** No question can use it from now on. */
function deleteFile({ id }: Exchange, { state, save }: Services): Answer {
  if (get(state.llmFiles, id) === null) throw new Refusal(notFound);
  delete state.llmFiles[id];
  save();
  return json(200, { id, object: 'file', deleted: true });
}

const kinds = [
  { head: /^\x89PNG\r\n/, isWhole: (bytes: Buffer) => bytes.includes('IEND', -12), name: 'PNG' },
  { head: /^\xff\xd8\xff/, isWhole: (bytes: Buffer) => bytes.includes('\xff\xd9', -64, 'latin1'), name: 'JPEG' },
  { head: /^GIF8[79]a/, isWhole: (bytes: Buffer) => bytes.at(-1) === 0x3b, name: 'GIF' },
  {
    head: /^RIFF.{4}WEBP/s,
    isWhole: (bytes: Buffer) => bytes.readUInt32LE(4) + 8 <= bytes.length + 1,
    name: 'WebP',
  },
  { head: /^%PDF-/, isWhole: (bytes: Buffer) => bytes.includes('%%EOF', -1024), name: 'PDF' },
] as const;

/** Recognises a file by its content, never by its name, and refuses one that can't be complete. */
function purposeOf(bytes: Buffer): LlmFile['purpose'] {
  const head = bytes.toString('latin1', 0, 12);
  const kind = kinds.find((one) => one.head.test(head));
  if (kind === undefined)
    return refuseLlm(415, 'unsupported_media_type', 'Only PNG, JPEG, WebP, GIF and PDF are taken.');
  if (!kind.isWhole(bytes)) refuseLlm(422, 'invalid_attachment', `The ${kind.name} has no end.`);
  if (kind.name !== 'PDF') return 'vision';
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  if (pages > mostPages) refuseLlm(422, 'invalid_attachment', `The PDF has more than ${mostPages} pages.`);
  return 'document';
}

const oneFile = '/v1/files/:fileId';

export const llmFileRoutes: readonly Route[] = [
  keyed('POST', '/v1/files', 'llm:write', uploadFile),
  keyed('GET', '/v1/files', 'llm:read', listFiles),
  keyed('GET', oneFile, 'llm:read', readFileEntry),
  keyed('DELETE', oneFile, 'llm:write', deleteFile),
];
