import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { KnownSpeaker, LibraryItem } from '../../shared/domain/library/library-item.ts';
import type { TranscriptMedia } from '../services/library/store.ts';

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
const speakerNames = lazySchema(() =>
  z.array(z.object({ name: z.string().nullable(), colour: z.int().min(1).max(8).optional() })),
);

function speakersIn(speakers: string): z.output<ReturnType<typeof speakerNames>> {
  try {
    return speakerNames().parse(JSON.parse(speakers));
  } catch {
    return [];
  }
}

/** Who was given a name, with the colour of the newest recording that has one; in the order of use. */
export function readKnownSpeakers(database: DatabaseSync): readonly KnownSpeaker[] {
  const known = new Map<string, { colour: number | null; count: number }>();
  const rows = database.prepare("SELECT speakers FROM transcripts WHERE speakers <> '[]' ORDER BY created_at_ms DESC");
  for (const row of rows.all()) {
    for (const { name, colour = null } of speakersIn(String(row['speakers']))) {
      if (name === null) continue;
      const before = known.get(name);
      known.set(name, { colour: before?.colour ?? colour, count: (before?.count ?? 0) + 1 });
    }
  }
  return [...known]
    .map(([name, facts]) => ({ name, ...facts }))
    .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name));
}

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
