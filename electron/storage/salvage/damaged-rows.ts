import { origins, type Origin } from '../../../shared/domain/modes.ts';
import { parseJobMemory } from '../../../shared/domain/jobs/stored-job.ts';
import type { AutomationEntry } from '../../services/automation/automation-log.ts';
import type { RawAnswer, StoredJob } from '../../services/library/store.ts';
import { memoryColumns, readAutomationRow, readJobColumns, readRawRow } from '../sqlite-rows.ts';
import type { DamagedPages } from './damaged-pages.ts';
import { readRecords, type DamagedRecord, type RecordPlace, type StoredValue } from './damaged-records.ts';

type Row = Readonly<Record<string, StoredValue>>;

export interface DamagedJob {
  readonly job: StoredJob;
  readonly isHidden: boolean;
  readonly origin: Origin;
}

export interface DamagedMedia {
  readonly sha256: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly seenAtMs: number;
}

export interface DamagedEvent {
  readonly id: number;
  readonly jobId: string;
  readonly atMs: number;
  readonly event: string;
}

/** What was found of a text; its words are read from the file when needed. */
export interface DamagedText {
  readonly place: RecordPlace;
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
}

/** A saved edit of a text. */
export interface DamagedRevision {
  readonly number: number;
  readonly atMs: number;
  readonly label: string;
  /** As it was written down. */
  readonly change: string;
  /** The name of the version, where the user gave it one. */
  readonly name: string | null;
}

export interface DamagedRaw {
  readonly place: RecordPlace;
  readonly id: number;
}

/** All rows of a damaged library that are intact in themselves. Of a row found twice, the newer one. */
export interface DamagedRows {
  readonly jobs: ReadonlyMap<string, DamagedJob>;
  readonly media: ReadonlyMap<string, DamagedMedia>;
  readonly texts: readonly DamagedText[];
  /** Locations of the original words from the service, by the id of their transcript. */
  readonly originals: ReadonlyMap<string, RecordPlace>;
  readonly revisions: ReadonlyMap<string, readonly DamagedRevision[]>;
  readonly raws: readonly DamagedRaw[];
  readonly events: readonly DamagedEvent[];
  readonly automation: readonly AutomationEntry[];
  readonly notes: ReadonlyMap<string, string>;
  /** Ids of the queue's rows that anything readable mentions. */
  readonly mentionedJobIds: ReadonlySet<string>;
}

// The order in the file: identifying columns first, columns of later versions last.
const jobColumnNames =
  'id seq path name size_bytes duration_ms language include_speakers added_at_ms is_hidden tag sha256 idempotency_key remote_id memory rank kind options origin'.split(
    ' ',
  );
const textColumns =
  'id job_id title source_name created_at_ms media_sha256 remote_id raw_answer_id language word_count duration_ms speakers cuts revision model'.split(
    ' ',
  );
const mediaColumns = 'sha256 path size_bytes duration_ms seen_at_ms'.split(' ');
const automationColumns = 'kind key at_ms name outcome row'.split(' ');
const rawColumns = 'id job_id at_ms source request_id body'.split(' ');
const noteNames = new Set(['note-queue', 'note-pace', 'note-deleted', 'note-folders', 'note-speaker-book']);

const named = (columns: readonly string[], values: readonly StoredValue[]): Row =>
  Object.fromEntries(columns.map((name, index) => [name, values[index] ?? null]));

/** Zeros that a disk left in the middle of a text disqualify it. */
const isPlain = (value: StoredValue | undefined): boolean => typeof value !== 'string' || !value.includes('\0');

/**
 * Reads every page once. A record is recognised by its columns, because in a damaged file its page proves nothing.
 * `onShare` gets the progress, 0 to 1.
 */
export function findRows(pages: DamagedPages, onShare: (share: number) => void): DamagedRows {
  const jobs = new Map<string, DamagedJob>();
  const media = new Map<string, DamagedMedia>();
  const texts: DamagedText[] = [];
  const originals = new Map<string, RecordPlace>();
  const revisions = new Map<string, DamagedRevision[]>();
  const raws: DamagedRaw[] = [];
  const events: DamagedEvent[] = [];
  const automation: AutomationEntry[] = [];
  const notes = new Map<string, string>();
  const mentionedJobIds = new Set<string>();
  for (const record of readRecords(pages)) {
    const { values, place, rowId } = record;
    onShare(place.page / pages.count);
    const text = readText(record);
    const event = readEvent(record);
    if (text !== null) {
      texts.push({ place, id: text.id, jobId: text.jobId, title: text.title });
      mentionedJobIds.add(text.jobId);
    } else if (event !== null) {
      events.push(event);
      mentionedJobIds.add(event.jobId);
    } else if (rowId !== null) {
      const raw = readRaw(record);
      if (raw === null) continue;
      raws.push({ place, id: rowId });
      mentionedJobIds.add(raw.jobId);
    } else if (values.length === 15 || values.length === 16 || values.length === 18 || values.length === 19) {
      const found = readJob(values);
      if (found !== null && found.job.seq > (jobs.get(found.job.id)?.job.seq ?? -1)) jobs.set(found.job.id, found);
    } else if (values.length === 5) {
      const found = readMedia(values);
      if (found !== null && found.seenAtMs > (media.get(found.sha256)?.seenAtMs ?? -1)) media.set(found.sha256, found);
    } else if (values.length === 7) {
      const revision = readRevision(values);
      if (revision === null) continue;
      const known = revisions.get(revision.transcriptId);
      if (known === undefined) revisions.set(revision.transcriptId, [revision]);
      else known.push(revision);
    } else if (values.length === 6) {
      const entry = values.every(isPlain) ? readAutomationRow(named(automationColumns, values)) : null;
      if (entry !== null) automation.push(entry);
    } else if (values.length === 2) {
      const [name, value] = values;
      if (typeof name !== 'string' || typeof value !== 'string' || !isJson(value)) continue;
      if (noteNames.has(name)) notes.set(name, value);
      else if (value.startsWith('{')) originals.set(name, place);
    }
  }
  return { jobs, media, texts, originals, revisions, raws, events, automation, notes, mentionedJobIds };
}

/** A row of the queue whose columns are valid and agree with its memory. */
function readJob(values: readonly StoredValue[]): DamagedJob | null {
  const row = named(jobColumnNames, values.length === 15 ? [...values, 0] : values);
  const columns = values.every(isPlain) ? readJobColumns(row) : null;
  const memory = typeof row['memory'] === 'string' ? parseJobMemory(row['memory']) : null;
  const isHidden = row['is_hidden'];
  if (columns === null || memory === null || (isHidden !== 0 && isHidden !== 1)) return null;
  const copies = [row['tag'], row['sha256'], row['idempotency_key'], row['remote_id']];
  const agrees = memoryColumns(memory)
    .slice(0, copies.length)
    .every((value, index) => value === copies[index]);
  const origin = origins.find((known) => known === row['origin']) ?? 'service';
  return agrees ? { job: { ...columns, memory }, isHidden: isHidden === 1, origin } : null;
}

function readMedia(values: readonly StoredValue[]): DamagedMedia | null {
  const {
    sha256,
    path,
    size_bytes: sizeBytes,
    duration_ms: durationMs,
    seen_at_ms: seenAtMs,
  } = named(mediaColumns, values);
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return null;
  if (typeof path !== 'string' || path === '' || !isPlain(path)) return null;
  if (typeof sizeBytes !== 'number' || typeof seenAtMs !== 'number') return null;
  return typeof durationMs === 'number' || durationMs === null
    ? { sha256, path, sizeBytes, durationMs: durationMs ?? null, seenAtMs }
    : null;
}

function readEvent({ rowId, values }: DamagedRecord): DamagedEvent | null {
  const [, jobId, atMs, event] = values;
  if (rowId === null || values.length !== 4 || values[0] !== null) return null;
  if (typeof jobId !== 'string' || typeof atMs !== 'number' || typeof event !== 'string') return null;
  return isJson(event) && isPlain(jobId) ? { id: rowId, jobId, atMs, event } : null;
}

function readRevision(values: readonly StoredValue[]): (DamagedRevision & { readonly transcriptId: string }) | null {
  const [transcriptId, number, atMs, label, change, , name] = values;
  if (typeof transcriptId !== 'string' || typeof number !== 'number' || typeof atMs !== 'number') return null;
  if (typeof label !== 'string' || typeof change !== 'string' || !values.every(isPlain)) return null;
  return { transcriptId, number, atMs, label, change, name: typeof name === 'string' ? name : null };
}

/** The stored answer of the service. */
export function readRaw({ rowId, values }: DamagedRecord): RawAnswer | null {
  if (rowId === null || values.length !== 6 || values[0] !== null || !values.every(isPlain)) return null;
  return readRawRow(named(rawColumns, values));
}

/** The columns of a text by name, as SQLite would give them, and those that identify it. */
export function readText({ rowId, values }: DamagedRecord): {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly row: Row;
} | null {
  if (
    rowId !== null ||
    values.length < textColumns.length - 1 ||
    values.length > textColumns.length ||
    !values.every(isPlain)
  )
    return null;
  const row = named(textColumns, values);
  const { id, job_id: jobId, title, media_sha256: sha256, revision } = row;
  if (typeof id !== 'string' || id === '' || typeof jobId !== 'string' || jobId === '') return null;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return null;
  return typeof title === 'string' && typeof revision === 'number' ? { id, jobId, title, row } : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
