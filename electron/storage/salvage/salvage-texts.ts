import type { DatabaseSync } from 'node:sqlite';
import { newJobMemory } from '../../../shared/domain/jobs/job-state.ts';
import type { TranscriptFacts } from '../../services/library/store.ts';
import type { LeanTranscript } from '../../../shared/domain/transcript/lean-transcript.ts';
import { wordsOf } from '../../../shared/domain/transcript/spoken-text.ts';
import { readTranscriptBody, readTranscriptFacts } from '../sqlite-rows.ts';
import { readChange, saveEdits, segmentsFromOriginal } from '../transcript-rows.ts';
import type { DamagedPages } from './damaged-pages.ts';
import { readRecord } from './damaged-records.ts';
import { readRaw, readText, type DamagedRows, type DamagedText } from './damaged-rows.ts';

/**
 * Copies texts that the backup lacks, with everything they need, and newer titles of those it has; returns their
 * number. `onShare` gets the progress, 0 to 1.
 */
export function salvageTexts(
  database: DatabaseSync,
  pages: DamagedPages,
  found: DamagedRows,
  onShare: (share: number) => void,
): number {
  const answers = salvageAnswers(database, pages, found);
  const place = database.prepare('UPDATE media SET path = ?, seen_at_ms = ? WHERE sha256 = ? AND seen_at_ms <= ?');
  for (const { sha256, path, seenAtMs } of found.media.values()) place.run(path, seenAtMs, sha256, seenAtMs);
  const known = database.prepare('SELECT title FROM transcripts WHERE id = ?');
  const ofJob = database.prepare('SELECT 1 FROM transcripts WHERE job_id = ?');
  const rename = database.prepare('UPDATE transcripts SET title = ? WHERE id = ?');
  let broughtCount = 0;
  for (const [at, text] of found.texts.entries()) {
    onShare(at / found.texts.length);
    const title = known.get(text.id)?.['title'];
    if (title !== undefined) {
      if (title !== text.title) rename.run(text.title, text.id);
      continue;
    }
    const whole = ofJob.get(text.jobId) === undefined ? wholeText(pages, text, found) : null;
    if (whole === null) continue;
    addText(database, whole, found, answers);
    broughtCount += 1;
  }
  salvageEdits(database, found);
  return broughtCount;
}

/** Repeats the edits made after the backup, up to the first one that can't be read. */
function salvageEdits(database: DatabaseSync, { revisions }: DamagedRows): void {
  const known = database.prepare('SELECT revision FROM transcripts WHERE id = ?');
  const name = database.prepare('UPDATE transcript_revisions SET name = ? WHERE transcript_id = ? AND number = ?');
  for (const [transcriptId, found] of revisions) {
    const numbered = new Map(found.map((one) => [one.number, one]));
    let revision = known.get(transcriptId)?.['revision'];
    while (typeof revision === 'number') {
      const next = numbered.get(revision + 1);
      const change = next === undefined ? null : readChange(next.change);
      if (next === undefined || change === null) break;
      database.exec('SAVEPOINT edit');
      try {
        revision = saveEdits(database, transcriptId, revision, [{ atMs: next.atMs, label: next.label, change }]);
        if (next.name !== null) name.run(next.name, transcriptId, revision);
        database.exec('RELEASE edit');
      } catch {
        database.exec('ROLLBACK TO edit; RELEASE edit');
        break;
      }
    }
  }
}

interface WholeText {
  readonly stored: TranscriptFacts & { readonly transcript: LeanTranscript };
  readonly body: string;
  readonly wordCount: number;
}

/** A text whose original words are readable, and in the language that its row names. */
function wholeText(pages: DamagedPages, { place, id }: DamagedText, found: DamagedRows): WholeText | null {
  const record = readRecord(pages, place);
  const row = record === null ? null : (readText(record)?.row ?? null);
  const originalPlace = found.originals.get(id);
  const original = originalPlace === undefined ? null : readRecord(pages, originalPlace);
  const body = original?.values[1];
  if (row === null || original?.values[0] !== id || typeof body !== 'string' || body.includes('\0')) return null;
  const path = found.media.get(String(row['media_sha256']))?.path ?? found.jobs.get(String(row['job_id']))?.job.path;
  const facts = readTranscriptFacts({ ...row, path: path ?? '' });
  const transcript = readTranscriptBody(body);
  if (facts === null || transcript === null || transcript.language !== row['language']) return null;
  const wordCount = transcript.segments.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
  if (facts.revision === 0 && row['word_count'] !== wordCount) return null;
  return { stored: { ...facts, transcript }, body, wordCount };
}

function addText(
  database: DatabaseSync,
  { stored, body, wordCount }: WholeText,
  found: DamagedRows,
  answers: ReadonlyMap<number, number>,
): void {
  const job = database.prepare('SELECT size_bytes, duration_ms FROM jobs WHERE id = ?').get(stored.jobId);
  if (job === undefined) addRowOf(database, stored, found);
  const media = found.media.get(stored.mediaSha256);
  database
    .prepare(
      'INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    )
    .run(
      stored.mediaSha256,
      stored.mediaPath,
      media?.sizeBytes ?? Number(job?.['size_bytes'] ?? 0),
      media?.durationMs ?? stored.transcript.durationMs,
      media?.seenAtMs ?? stored.createdAtMs,
    );
  database
    .prepare(
      `INSERT INTO transcripts
       (id, job_id, title, source_name, created_at_ms, media_sha256, remote_id, raw_answer_id, language, word_count,
        duration_ms, speakers, model)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      stored.id,
      stored.jobId,
      stored.title,
      stored.sourceName,
      stored.createdAtMs,
      stored.mediaSha256,
      stored.remoteId,
      stored.rawAnswerId === null ? null : (answers.get(stored.rawAnswerId) ?? null),
      stored.transcript.language,
      wordCount,
      stored.transcript.durationMs,
      JSON.stringify(stored.transcript.speakers),
      stored.model,
    );
  database.prepare('INSERT INTO transcript_originals (transcript_id, body) VALUES (?, ?)').run(stored.id, body);
  database.prepare(segmentsFromOriginal).run(stored.id);
}

/** The row of a text whose own row is lost: ended, with what the text knows about its recording, and nothing else. */
function addRowOf(database: DatabaseSync, stored: WholeText['stored'], found: DamagedRows): void {
  const { id, jobId, sourceName, createdAtMs, mediaPath, mediaSha256, remoteId, transcript } = stored;
  const speakerCount = transcript.speakers.length;
  const state = { tag: 'done', transcriptId: id, speakerCount, finishedAtMs: createdAtMs } as const;
  database
    .prepare(
      `INSERT INTO jobs (id, seq, path, name, size_bytes, duration_ms, language, include_speakers, added_at_ms,
         tag, sha256, remote_id, memory, origin)
       VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      jobId,
      mediaPath,
      sourceName,
      found.media.get(mediaSha256)?.sizeBytes ?? 0,
      transcript.durationMs,
      transcript.language,
      speakerCount > 0 ? 1 : 0,
      createdAtMs,
      state.tag,
      // Lets the same recording be recognised when it is added again.
      mediaSha256,
      remoteId,
      JSON.stringify({ ...newJobMemory, state }),
      stored.origin ?? 'service',
    );
}

/** Copies the answers of existing rows; returns their old ids with their new ones. */
function salvageAnswers(
  database: DatabaseSync,
  pages: DamagedPages,
  { raws }: DamagedRows,
): ReadonlyMap<number, number> {
  const known = database.prepare('SELECT job_id FROM raw_answers WHERE id = ?');
  const job = database.prepare('SELECT 1 FROM jobs WHERE id = ?');
  const add = database.prepare(
    'INSERT INTO raw_answers (id, job_id, at_ms, source, request_id, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const numbers = new Map<number, number>();
  for (const { id, place } of raws) {
    const record = readRecord(pages, place);
    const answer = record === null ? null : readRaw(record);
    if (answer === null || job.get(answer.jobId) === undefined) continue;
    const owner = known.get(id)?.['job_id'];
    if (owner === answer.jobId) numbers.set(id, id);
    else {
      const { jobId, atMs, source, requestId, body } = answer;
      const number = add.run(owner === undefined ? id : null, jobId, atMs, source, requestId, body).lastInsertRowid;
      numbers.set(id, Number(number));
    }
  }
  return numbers;
}
