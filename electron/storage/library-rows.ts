import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { LibraryItem } from '../../shared/domain/library/library-item.ts';
import { storedSpeakers } from '../../shared/domain/transcript/packed.ts';
import type { SpeakerUse, TranscriptMedia } from '../services/library/store.ts';

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
    size_bytes: z.number(),
    revision: z.number(),
  }),
);
const speakerNames = lazySchema(() => z.array(z.object({ name: z.string().nullable() })));

function speakersIn(speakers: string): z.output<ReturnType<typeof speakerNames>> {
  try {
    return speakerNames().parse(JSON.parse(speakers));
  } catch {
    return [];
  }
}

/** The speakers of every transcript, the newest first. One that can't be understood is left out. */
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

/** The transcripts of a library as its list shows them, the newest first. One that can't be understood is left out. */
export const readTranscriptItems = (database: DatabaseSync): readonly LibraryItem[] =>
  database
    .prepare(
      `SELECT t.id, t.title, t.source_name, t.created_at_ms, t.language, t.duration_ms, t.speakers, t.remote_id,
         t.revision, m.size_bytes FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256
       ORDER BY t.created_at_ms DESC, t.id`,
    )
    .all()
    .flatMap((found) => {
      const read = row().safeParse(found);
      if (!read.success) return [];
      const { id, title, language, speakers, revision } = read.data;
      return {
        kind: 'transcript' as const,
        id,
        title,
        sourceName: read.data.source_name,
        language,
        createdAtMs: read.data.created_at_ms,
        durationMs: read.data.duration_ms,
        speakers: speakersIn(speakers).map(({ name }) => name),
        sizeBytes: read.data.size_bytes,
        credits: null,
        characters: null,
        states: [revision > 0 ? ('edited' as const) : ('unedited' as const)],
        isAtService: read.data.remote_id !== null,
        trashedAtMs: null,
      };
    });

/** Where the recording of each transcript is said to be. */
export const readTranscriptMedia = (database: DatabaseSync): readonly TranscriptMedia[] =>
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

/** Gives a recording to a transcript that had none; inside a transaction of the caller. */
export function attachMedia(
  database: DatabaseSync,
  id: string,
  path: string,
  { sha256, sizeBytes }: Pick<TranscriptMedia, 'sha256' | 'sizeBytes'>,
): null {
  database
    .prepare(
      `INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, NULL, ?)
       ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, seen_at_ms = excluded.seen_at_ms`,
    )
    .run(sha256, path, sizeBytes, Date.now());
  database.prepare('UPDATE transcripts SET media_sha256 = ? WHERE id = ?').run(sha256, id);
  return null;
}
