import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { origins, type Origin } from '../../shared/domain/modes.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { LibraryItem } from '../../shared/domain/library/library-item.ts';
import { storedSpeakers } from '../../shared/domain/transcript/packed.ts';
import type { Result } from '../../shared/result/result.ts';
import type { LibraryStore, MadeFrom, SpeakerUse, StoredJob, TranscriptMedia } from '../services/library/store.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { isKeptCopy, orderedFrom, remoteIdHere } from './library-sql.ts';
import { readJobRow } from './sqlite-rows.ts';

const row = lazySchema(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    source_name: z.string(),
    created_at_ms: z.number(),
    language: z.enum(speechLanguages),
    duration_ms: z.number(),
    speakers: z.string(),
    remote_id: z.string().nullable(),
    origin: z.enum(origins).nullable(),
    size_bytes: z.number(),
    revision: z.number(),
    path: z.string(),
  }),
);
const stateOfOrigin = { service: 'made-at-service', local: 'made-here' } as const;
const speakerNames = lazySchema(() => z.array(z.object({ name: z.string().nullable() })));

function speakersIn(speakers: string): z.output<ReturnType<typeof speakerNames>> {
  try {
    return speakerNames().parse(JSON.parse(speakers));
  } catch {
    return [];
  }
}

/** The speakers of every transcript, newest first. Unreadable ones are left out. */
export const readSpeakerUses = (database: DatabaseSync): readonly SpeakerUse[] =>
  database
    .prepare("SELECT id, revision, speakers FROM transcripts WHERE speakers <> '[]' ORDER BY created_at_ms DESC, id")
    .all()
    .flatMap(({ id, revision, speakers }) => {
      try {
        const read = storedSpeakers().parse(JSON.parse(String(speakers)));
        return [{ transcriptId: String(id), revision: Number(revision), speakers: read }];
      } catch {
        return [];
      }
    });

/** The transcripts of a library for its list, newest first. Unreadable ones are left out. */
export const readTranscriptItems = (database: DatabaseSync, origin: Origin): readonly LibraryItem[] =>
  database
    .prepare(
      `SELECT t.id, t.title, t.source_name, t.created_at_ms, t.language, t.duration_ms, t.speakers, ${remoteIdHere},
         ${orderedFrom}, t.revision, m.size_bytes, m.path
       FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256 JOIN jobs j ON j.id = t.job_id
       ORDER BY t.created_at_ms DESC, t.id`,
    )
    .all(origin)
    .flatMap((found) => {
      const read = row().safeParse(found);
      if (!read.success) return [];
      const { id, title, language, speakers, revision } = read.data;
      const hasRecording = !read.data.path.startsWith(noRecording);
      return {
        kind: 'transcript' as const,
        id,
        title,
        sourceName: read.data.source_name,
        language,
        createdAtMs: read.data.created_at_ms,
        durationMs: read.data.duration_ms,
        speakers: speakersIn(speakers).map(({ name }) => name),
        // Without a recording this is the size of the imported text.
        sizeBytes: hasRecording ? read.data.size_bytes : null,
        credits: null,
        characters: null,
        states: [
          revision > 0 ? ('edited' as const) : ('unedited' as const),
          ...(hasRecording ? [] : (['no-recording'] as const)),
          ...(read.data.origin === null ? [] : [stateOfOrigin[read.data.origin]]),
        ],
        isAtService: read.data.remote_id !== null,
        trashedAtMs: null,
      };
    });

/** The recorded path of each transcript's recording. */
const readTranscriptMedia = (database: DatabaseSync): readonly TranscriptMedia[] =>
  database
    .prepare(
      `SELECT t.id, t.source_name, m.path, m.sha256, m.size_bytes FROM transcripts t
       JOIN media m ON m.sha256 = t.media_sha256`,
    )
    .all()
    .map((row) => ({
      transcriptId: String(row['id']),
      name: String(row['source_name']),
      path: String(row['path']),
      sha256: String(row['sha256']),
      sizeBytes: Number(row['size_bytes']),
    }));

/** Transcripts that were made from a recording, by its content or its path. */
const readMadeFrom = (
  database: DatabaseSync,
  { sha256, path }: { readonly sha256: string; readonly path: string },
): readonly MadeFrom[] =>
  database
    .prepare(
      `SELECT t.id, t.title, t.media_sha256 FROM transcripts t JOIN jobs j ON j.id = t.job_id
       WHERE j.sha256 = ? OR j.path = ? ORDER BY t.created_at_ms DESC, t.id LIMIT 20`,
    )
    .all(sha256, path)
    .map((found) => ({
      transcriptId: String(found['id']),
      title: String(found['title']),
      mediaSha256: String(found['media_sha256']),
    }));

/** The row of a transcript that plays a copy of other audio than that row sent. */
function readReplaced(database: DatabaseSync, transcriptId: string): StoredJob | null {
  const row = database
    .prepare(
      `SELECT j.* FROM transcripts t JOIN jobs j ON j.id = t.job_id JOIN media m ON m.sha256 = t.media_sha256
       WHERE t.id = ? AND j.sha256 <> t.media_sha256 AND ${isKeptCopy}`,
    )
    .get(transcriptId);
  return row === undefined ? null : readJobRow(row);
}

/** The newest finished row that isolated this content, with speech restored or not. */
function readVariant(database: DatabaseSync, sha256: string, restoresSpeech: boolean): StoredJob | null {
  const row = database
    .prepare(
      `SELECT * FROM jobs WHERE sha256 = ? AND kind = 'isolate' AND tag = 'done'
       AND json_extract(options, '$.restoresSpeech') = ? ORDER BY added_at_ms DESC, id LIMIT 1`,
    )
    .get(sha256, restoresSpeech ? 1 : 0);
  return row === undefined ? null : readJobRow(row);
}

/** Gives a transcript another recording; within a transaction of the caller. */
function attachMedia(
  database: DatabaseSync,
  id: string,
  path: string,
  { sha256, sizeBytes }: Pick<TranscriptMedia, 'sha256' | 'sizeBytes'>,
  place: 'new' | 'unless-known',
): null {
  database
    .prepare(
      `INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, NULL, ?)
       ON CONFLICT (sha256) DO UPDATE SET path = iif(?, excluded.path, path), seen_at_ms = excluded.seen_at_ms`,
    )
    .run(sha256, path, sizeBytes, Date.now(), place === 'new' ? 1 : 0);
  database.prepare('UPDATE transcripts SET media_sha256 = ? WHERE id = ?').run(sha256, id);
  return null;
}

type Work = <T>(work: () => T) => Result<T>;

/** Queries about the recordings of transcripts and the audio that was isolated from them. */
export const mediaTable = (
  database: DatabaseSync,
  read: Work,
  write: Work,
): Pick<LibraryStore, 'listMedia' | 'attachMedia' | 'transcriptsMadeFrom' | 'replacedRecording' | 'findVariant'> => ({
  listMedia: () => read(() => readTranscriptMedia(database)),
  attachMedia: (id, path, content, place = 'new') => write(() => attachMedia(database, id, path, content, place)),
  transcriptsMadeFrom: (recording) => read(() => readMadeFrom(database, recording)),
  replacedRecording: (id) => read(() => readReplaced(database, id)),
  findVariant: (sha256, restoresSpeech) => read(() => readVariant(database, sha256, restoresSpeech)),
});
